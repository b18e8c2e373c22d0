"""Takes, snapshots, comparing."""
