"""The version of this package, which is that of the gate it was made with. Knows nothing else."""

VERSION = "0.1.0"
