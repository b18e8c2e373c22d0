"""Where a project is: on a disk of this computer, or in a place that is not safe for it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import struct
import sys
from collections.abc import Callable
from pathlib import Path, PurePath, PurePosixPath

from quire_engine.api.user_message import UserMessage

_NETWORK = UserMessage(
    "The project is on a network drive. If the connection breaks or two computers open it at once, "
    "it can be damaged. Keep it on a disk of this computer, and put only backups or exports here."
)
_SHARED = UserMessage(
    "The project is in a folder shared with another system. If both use it at once, it can be "
    "damaged. Keep it on a disk of this computer, and put only backups or exports here."
)

# fmt: off
_NETWORK_TYPES = frozenset({
    "9p", "acfs", "afpfs", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "ftp", "glusterfs", "gpfs",
    "lustre", "ncpfs", "nfs", "nfs3", "nfs4", "pvfs2", "smb", "smb2", "smb3", "smbfs", "webdav",
})
_NETWORK_FUSE = frozenset({
    "ceph", "ceph-fuse", "curlftpfs", "davfs", "davfs2", "gcsfuse", "glusterfs", "google-drive-ocamlfuse",
    "gvfsd-fuse", "juicefs", "mfs", "moosefs", "onedriver", "rclone", "s3fs", "smbnetfs", "sshfs",
})
# fmt: on
_SHARED_TYPES = frozenset({"prl_fs", "vboxsf", "virtiofs", "vmhgfs", "fuse.vmhgfs-fuse", "fuse.prl_fsd"})
_ESCAPE = re.compile(r"\\([0-7]{3})")

_SERVICES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (service, re.compile(pattern))
    for service, pattern in (
        ("Dropbox", r"dropbox( \(.+\)|-.+)?"),
        ("OneDrive", r"onedrive( - .+|-.+)?"),
        ("Google Drive", r"google ?drive([ -].+)?|my drive"),
        ("iCloud", r"mobile documents|icloud ?drive|com~apple~clouddocs"),
        ("Nextcloud", r"nextcloud\d*"),
        ("ownCloud", r"owncloud\d*"),
        ("pCloud", r"pcloud ?(drive|sync)?"),
        ("MEGA", r"mega(sync)?|mega downloads"),
        ("Box", r"box sync|box-box"),
        ("Proton Drive", r"proton ?drive(-.+)?"),
        ("Yandex Disk", r"yandex\.disk"),
        ("kDrive", r"kdrive\d*"),
        ("Seafile", r"seafile"),
        ("Synology Drive", r"synologydrive|synology drive"),
    )
)
_MARKERS: tuple[tuple[str, str, bool], ...] = (  # name, service, whether it is a folder
    (".stfolder", "Syncthing", True),
    (".stfolder", "Syncthing", False),  # as older releases made it
    (".dropbox", "Dropbox", False),  # a folder of that name holds the program's settings
    (".dropbox.cache", "Dropbox", True),
    (".nextcloudsync.log", "Nextcloud", False),
    (".owncloudsync.log", "ownCloud", False),
    (".849C9593-D756-4E56-8D6E-42412F2A707B", "OneDrive", False),
    (".tmp.driveupload", "Google Drive", True),
    (".tmp.drivedownload", "Google Drive", True),
)
_DRIVE_REMOTE = 4
_MNT_LOCAL = 0x1000


def warning_about(folder: Path) -> str:
    """Return a warning for the writer if a folder is not safe for a project; empty otherwise.

    It reads names only, and does not warn of what cannot be determined.
    """
    places = [folder.absolute()]
    with contextlib.suppress(OSError, RuntimeError):
        places.append(folder.resolve())
    kind = ""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        kind = _kind_of_drive(places[-1])
    if kind:
        return kind
    for place in places:
        if service := cloud_service(place, _has_entry):
            return UserMessage(
                "The project seems to be in a folder that {service} syncs to other computers. It may "
                "sync a half-saved project or restore an older one. Keep it in a folder that isn't "
                "synced, and put only backups or exports here.",
                service=service,
            )
    return ""


def warning_about_type(filesystem: str) -> str:
    """Return the warning for the name that Linux gives a file system; empty for those of this computer."""
    if filesystem in _SHARED_TYPES:
        return _SHARED
    fuse = filesystem.removeprefix("fuse.") if filesystem.startswith("fuse.") else ""
    return _NETWORK if filesystem in _NETWORK_TYPES or fuse in _NETWORK_FUSE else ""


def filesystem_of(mountinfo: str, folder: PurePosixPath) -> str:
    """Return the type of the file system of a folder; empty if unknown.

    Of mounts on the same folder the last one covers the others.

    Args:
        mountinfo: the text of /proc/self/mountinfo (proc_pid_mountinfo(5)).
    """
    found, depth = "", -1
    for line in mountinfo.splitlines():
        before, separator, after = line.partition(" - ")
        fields = before.split(" ")
        if not separator or len(fields) < 6 or not after:
            continue
        mount = PurePosixPath(_ESCAPE.sub(lambda match: chr(int(match[1], 8)), fields[4]))
        if folder.is_relative_to(mount) and len(mount.parts) >= depth:
            found, depth = after.split(" ")[0], len(mount.parts)
    return found


def warning_about_windows(anchor: str, drive_type: int) -> str:
    r"""Return the warning for a drive of Windows; empty for those of this computer.

    anchor: of the path, C:\ for example or \\server\share\. drive_type: what GetDriveTypeW says about it.
    """
    unc = anchor.startswith("\\\\") and not anchor.startswith(("\\\\?\\", "\\\\.\\"))
    unc = unc or anchor.upper().startswith("\\\\?\\UNC\\")
    return _NETWORK if unc or drive_type == _DRIVE_REMOTE else ""


def warning_about_macos(statfs: bytes) -> str:
    """Return the warning for the result of statfs(2) on macOS; empty for disks of this computer.

    Args:
        statfs: the structure with 64-bit inodes; f_flags is at byte 64, f_fstypename[16] at byte 72.
    """
    (flags,) = struct.unpack_from("=I", statfs, 64)
    kind = statfs[72:88].split(b"\0")[0].decode(errors="replace")
    return _NETWORK if not flags & _MNT_LOCAL or kind in _NETWORK_TYPES else ""


def cloud_service(folder: PurePath, has_entry: Callable[[PurePath, str, bool], bool]) -> str:
    """Return the program that synchronises a folder between computers; empty if none seems to.

    Args:
        has_entry: whether a folder has an entry of a name that is a folder itself (True) or a file (False).
    """
    for place in (folder, *folder.parents):
        if service := _service_by_name(place):
            return service
        for name, service, is_folder in _MARKERS:
            if has_entry(place, name, is_folder):
                return service
    return ""


def _service_by_name(place: PurePath) -> str:
    name = place.name.casefold()
    for service, pattern in _SERVICES:
        if pattern.fullmatch(name):
            return service
    # macOS keeps the folders of such programs here, each under the program's name
    return place.name.partition("-")[0] if place.parent.name == "CloudStorage" else ""


def _has_entry(place: PurePath, name: str, is_folder: bool) -> bool:
    path = Path(place) / name
    try:
        return path.is_dir() if is_folder else path.is_file()
    except OSError:
        return False


if sys.platform == "win32":

    def _kind_of_drive(folder: Path) -> str:
        drive_type = ctypes.windll.kernel32.GetDriveTypeW(ctypes.c_wchar_p(folder.anchor))
        return warning_about_windows(folder.anchor, int(drive_type))

elif sys.platform == "darwin":

    def _kind_of_drive(folder: Path) -> str:
        libc = ctypes.CDLL(None, use_errno=True)
        # Intel has an older structure under the plain name
        statfs = getattr(libc, "statfs$INODE64", None) or libc.statfs
        buffer = ctypes.create_string_buffer(4096)
        if statfs(os.fsencode(folder), buffer) != 0:
            return ""
        return warning_about_macos(buffer.raw)

else:

    def _kind_of_drive(folder: Path) -> str:
        mountinfo = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")
        return warning_about_type(filesystem_of(mountinfo, PurePosixPath(folder)))
