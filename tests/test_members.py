"""What counts as a private member of a C++ class, and that the check fails over the limit."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "members.py"
spec = importlib.util.spec_from_file_location("members", SCRIPT)
assert spec is not None
assert spec.loader is not None
members = importlib.util.module_from_spec(spec)
spec.loader.exec_module(members)


def private_members(text: str) -> dict[str, list[str]]:
    return {one.name: list(one.private) for one in members.classes_in(text)}


def test_members__fields_and_methods_count_and_everything_else_does_not() -> None:
    text = """
    // class Commented { int a_; };
    template <class T, int N = (3 > 2)>
    class Room final : public House<T> {
     public:
      explicit Room(int size) : size_(size), half_{size / 2} {}
      int size() const { return size_; }

     private:
      using Key = std::pair<int, int>;
      struct Inner {
        int shown = 0;
       private:
        int hidden_ = 0;
      };
      static constexpr int kMost = 3, kLeast = 1;
      friend class Other;
      void move();
      template <bool Alone>
      int count(const std::vector<int>& of) const { return Alone ? 1 : of.size(); }
      int size_, half_;
      std::map<int, std::vector<int>> by_number_{{1, {2}}};
      std::function<void(int, int)> told_ = [](int, int) {};
    };
    enum class Color { Red, Green };
    """
    found = private_members(text)
    assert list(found) == ["Room", "Inner"]
    assert len(found["Room"]) == 6, found["Room"]
    assert len(found["Inner"]) == 1


def test_members__a_class_over_the_limit_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fields = "\n".join(f"  int field_{i}_;" for i in range(members.MOST + 1))
    (tmp_path / "search").mkdir()
    (tmp_path / "search" / "large.hpp").write_text(f"class Large {{\n private:\n{fields}\n}};\n", encoding="utf-8")
    monkeypatch.setattr(members, "CORE", tmp_path)
    assert members.main([]) == 1
    assert "core/search/large.hpp:1: Large has 26 private members; 25 at most" in capsys.readouterr().out


def test_members__the_core_keeps_the_rule() -> None:
    assert members.main([]) == 0
