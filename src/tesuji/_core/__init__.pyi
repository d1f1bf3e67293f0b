"""
The native core of Tesuji. Use the Python packages around it; this layer may change without notice.
"""

from tesuji._core import (
    games as games,
    genetics as genetics,
    go as go,
    learning as learning,
    packing as packing,
    search as search
)
