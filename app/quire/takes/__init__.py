"""Takes, snapshots, comparison."""
