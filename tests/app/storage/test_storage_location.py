from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.storage.storage_location import (
    cloud_service,
    filesystem_of,
    warning_about,
    warning_about_macos,
    warning_about_type,
    warning_about_windows,
)

MOUNTINFO = r"""
21 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
22 21 0:20 / /proc rw - proc proc rw
40 21 0:44 / /mnt/my\040books rw,relatime shared:3 master:4 - cifs //nas/books rw,vers=3.1.1
41 40 8:1 / /mnt/my\040books/local rw - btrfs /dev/sda1 rw
42 21 0:45 / /mnt/both rw - nfs4 nas:/both rw
43 21 8:2 / /mnt/both rw - xfs /dev/sdb1 rw
44 21 0:46 / /home/ann/server rw - fuse.sshfs ann@server: rw
45 21 0:47 / /home/ann/back\134slash rw - 9p share rw
a line that means nothing
46 21 0:48 / /cut - 
"""


@pytest.mark.parametrize(
    ("folder", "filesystem"),
    [
        ("/home/ann/Novels", "ext4"),
        ("/", "ext4"),
        ("/mnt/my books", "cifs"),
        ("/mnt/my books/2026/winter", "cifs"),
        ("/mnt/my books/local/x", "btrfs"),
        ("/mnt/my bookshelf", "ext4"),
        ("/mnt/both/x", "xfs"),
        ("/home/ann/server/x", "fuse.sshfs"),
        (r"/home/ann/back\slash", "9p"),
    ],
)
def test_the_innermost_mount_says_what_a_folder_lies_on(folder: str, filesystem: str) -> None:
    assert filesystem_of(MOUNTINFO, PurePosixPath(folder)) == filesystem


@given(st.text(alphabet=" -/\\0147ab\n", max_size=60))
def test_no_list_of_mounts_is_a_fault(text: str) -> None:
    assert filesystem_of(text, PurePosixPath("/a/b")) in {"", *text.split()}


@pytest.mark.parametrize(
    "filesystem",
    ["nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "fuse.sshfs", "fuse.rclone", "fuse.gvfsd-fuse"],
)
def test_a_network_drive_is_warned_about(filesystem: str) -> None:
    warning = warning_about_type(filesystem)
    assert "network drive" in warning
    assert warning.endswith("Keep it on a disk of this computer, and put only backups or exports here.")


@pytest.mark.parametrize(
    "filesystem", ["ext4", "btrfs", "zfs", "fuseblk", "tmpfs", "overlay", "fuse.portal", ""]
)
def test_a_disk_of_this_computer_is_not(filesystem: str) -> None:
    assert warning_about_type(filesystem) == ""


def test_a_folder_of_a_virtual_machine_is_called_shared() -> None:
    assert "shared with another system" in warning_about_type("vboxsf")
    assert "shared with another system" in warning_about_type("fuse.vmhgfs-fuse")


@pytest.mark.parametrize(
    ("anchor", "drive_type", "warned"),
    [
        ("C:\\", 3, False),
        ("E:\\", 2, False),
        ("Z:\\", 4, True),
        ("\\\\nas\\books\\", 1, True),
        ("\\\\wsl$\\Debian\\", 0, True),
        ("\\\\?\\C:\\", 3, False),
        ("\\\\?\\UNC\\nas\\books\\", 1, True),
    ],
)
def test_the_drives_of_windows(anchor: str, drive_type: int, warned: bool) -> None:
    assert bool(warning_about_windows(anchor, drive_type)) is warned


@pytest.mark.parametrize(
    ("flags", "kind", "warned"),
    [
        (0x1000, b"apfs", False),
        (0x1001, b"hfs", False),
        (0, b"smbfs", True),
        (0, b"nfs", True),
        (0x1000, b"afpfs", True),
    ],
)
def test_the_disks_of_macos(flags: int, kind: bytes, warned: bool) -> None:
    # bsize, iosize, five counts of blocks and files, fsid, owner, type, flags, subtype, name of the type
    statfs = struct.pack("=Ii5Q2iIIII16s", 4096, 4096, 1, 1, 1, 1, 1, 1, 1, 501, 26, flags, 0, kind)
    assert bool(warning_about_macos(statfs + bytes(2048))) is warned


NOTHING: Callable[[PurePath, str, bool], bool] = lambda _place, _name, _is_folder: False  # noqa: E731


@pytest.mark.parametrize(
    ("folder", "service"),
    [
        (PurePosixPath("/home/ann/Dropbox/Novels/Winter"), "Dropbox"),
        (PurePosixPath("/Users/ann/Dropbox (Personal)"), "Dropbox"),
        (PureWindowsPath("C:/Users/Ann/OneDrive - Ferry Press/Documents"), "OneDrive"),
        (PureWindowsPath("C:/Users/Ann/OneDrive/Documents"), "OneDrive"),
        (PureWindowsPath("G:/My Drive/Novels"), "Google Drive"),
        (
            PurePosixPath("/Users/ann/Library/CloudStorage/GoogleDrive-ann@example.com/My Drive"),
            "Google Drive",
        ),
        (PurePosixPath("/Users/ann/Library/CloudStorage/Sync-Personal/x"), "Sync"),
        (PurePosixPath("/Users/ann/Library/Mobile Documents/com~apple~Pages/Documents"), "iCloud"),
        (PureWindowsPath("C:/Users/Ann/iCloudDrive"), "iCloud"),
        (PurePosixPath("/home/ann/Nextcloud2/a"), "Nextcloud"),
        (PurePosixPath("/home/ann/pCloudDrive"), "pCloud"),
        (PurePosixPath("/home/ann/Documents/The dropbox murders"), ""),
        (PurePosixPath("/home/ann/Boxes/Mega novel"), ""),
        (PurePosixPath("/"), ""),
    ],
)
def test_folders_of_cloud_programs_are_known_by_name(folder: PurePath, service: str) -> None:
    assert cloud_service(folder, NOTHING) == service


@pytest.mark.parametrize(
    ("name", "is_folder", "service"),
    [
        (".stfolder", True, "Syncthing"),
        (".stfolder", False, "Syncthing"),
        (".dropbox", False, "Dropbox"),
        (".dropbox", True, ""),  # the settings of the program, in everybody's home
        (".dropbox.cache", True, "Dropbox"),
    ],
)
def test_the_marks_of_cloud_programs_are_found_in_the_folders_above(
    tmp_path: Path, name: str, is_folder: bool, service: str
) -> None:
    mark = tmp_path / name
    if is_folder:
        mark.mkdir()
    else:
        mark.touch()
    folder = tmp_path / "Novels" / "Winter"
    folder.mkdir(parents=True)
    warning = warning_about(folder)
    assert (service in warning) if service else warning == ""


def test_a_local_folder_is_no_reason_to_warn_even_if_it_is_not_there(tmp_path: Path) -> None:
    assert warning_about(tmp_path) == ""
    assert warning_about(tmp_path / "gone") == ""


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_into_a_cloud_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "Dropbox").mkdir()
    (tmp_path / "Novels").symlink_to(tmp_path / "Dropbox")
    assert "Dropbox syncs to other computers" in warning_about(tmp_path / "Novels")
    assert warning_about(tmp_path) == ""
