"""
The native core of Tesuji. Use the Python packages around it; this layer may change without notice.
"""

from tesuji._core import go as go
