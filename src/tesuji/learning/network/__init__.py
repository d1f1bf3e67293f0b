"""Networks for any game that shows its states as planes: trained by PyTorch, run by onnxruntime.

`tesuji.learning.network.model` reads a trained network and judges positions with it; that needs the extra ``network``
(onnxruntime) and nothing heavier. Training (`trainer`, `architecture`, `batches`, `export`) needs the extra ``learn``.
Nothing here knows Go: its planes and its games are in `tesuji.go`. See docs/algorithms/network.md.
"""
