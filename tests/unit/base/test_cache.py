"""The cache folder: whole files, oldest removed first, and only where nobody else can write."""

import os
import stat
import sys
import threading
import time
from pathlib import Path

import pytest

from gough.base import cache
from gough.base.tables.whole import write_whole
from gough.errors import GoughWarning

A, B, C = (letter * 64 for letter in "abc")
POSIX = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no owners and modes")


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "kept"))
    monkeypatch.setattr(cache, "_TOLD", set())
    return tmp_path / "kept"


def file(folder, name):
    return folder / f"{name}.kernel"


def test_what_is_written_is_read(folder):
    assert cache.read_cached(A) is None
    cache.write_cached(A, b"one")
    cache.write_cached(B, b"")
    cache.write_cached(A, b"two")
    assert (cache.read_cached(A), cache.read_cached(B), cache.read_cached(C)) == (b"two", b"", None)
    assert sorted(path.name for path in folder.iterdir()) == [f"{A}.kernel", f"{B}.kernel"]


@POSIX
def test_folder_and_files_are_for_the_user_alone(folder):
    before = os.umask(0)  # even if the user lets others write
    try:
        cache.write_cached(A, b"one")
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(file(folder, A).stat().st_mode) == 0o600


@pytest.mark.parametrize("word", ["off", "OFF", " off "])
def test_it_can_be_switched_off(folder, monkeypatch, word):
    cache.write_cached(A, b"one")
    monkeypatch.setenv(cache.VARIABLE, word)
    assert cache.cache_place() is None
    assert cache.read_cached(A) is None
    cache.write_cached(B, b"two")
    assert not file(folder, B).exists()


def test_the_place_is_the_platforms_own(monkeypatch):
    monkeypatch.delenv(cache.VARIABLE)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    for platform, place in (
        ("linux", "/home/me/.cache/gough"),
        ("darwin", "/home/me/Library/Caches/gough"),
        ("win32", "/home/me/AppData/Local/gough/cache"),
    ):
        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        monkeypatch.delenv("LOCALAPPDATA", raising=False)
        assert cache.cache_place() == Path(place)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/mine")
    assert cache.cache_place() == Path("/var/mine/gough")
    monkeypatch.setenv("XDG_CACHE_HOME", "mine")  # relative: to be ignored
    assert cache.cache_place() == Path("/home/me/.cache/gough")

    def homeless():
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", homeless)
    assert cache.cache_place() is None


@POSIX
@pytest.mark.parametrize("mode", [0o770, 0o702, 0o777, 0o1777])
def test_a_folder_that_others_can_write_is_not_used(folder, mode):
    cache.write_cached(A, b"one")
    folder.chmod(mode)
    with pytest.warns(GoughWarning, match="can be written by other users.*chmod 700"):
        assert cache.read_cached(A) is None
    cache.write_cached(B, b"two")  # it is said once: another warning would be an error
    assert cache.read_cached(A) is None
    assert not file(folder, B).exists()
    folder.chmod(0o700)
    assert cache.read_cached(A) == b"one"


@POSIX
def test_what_belongs_to_others_is_not_used(folder, monkeypatch):
    cache.write_cached(A, b"one")
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    with pytest.warns(GoughWarning, match="belongs to another user"):
        assert cache.read_cached(A) is None


@POSIX
def test_a_file_that_others_can_write_is_not_read(folder):
    cache.write_cached(A, b"one")
    file(folder, A).chmod(0o620)
    assert cache.read_cached(A) is None
    cache.write_cached(A, b"two")  # replaced by one of our own
    assert cache.read_cached(A) == b"two"


@POSIX
def test_links_pipes_and_folders_are_not_read(folder, tmp_path):
    cache.write_cached(A, b"one")
    file(folder, B).symlink_to(file(folder, A))
    assert cache.read_cached(B) is None
    file(folder, B).unlink()
    os.mkfifo(file(folder, B), 0o600)
    assert cache.read_cached(B) is None
    file(folder, C).mkdir()
    assert cache.read_cached(C) is None
    cache.write_cached(C, b"three")  # cannot be: nothing is said, nothing breaks
    assert file(folder, C).is_dir()


def test_a_place_that_cannot_be_written_breaks_nothing(monkeypatch, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    for place in (tmp_path / "file" / "kept", tmp_path / ("long" * 100)):
        monkeypatch.setenv(cache.VARIABLE, str(place))
        cache.write_cached(A, b"one")
        assert cache.read_cached(A) is None


def test_a_file_in_the_place_of_the_folder_is_said(monkeypatch, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "file"))
    with pytest.warns(GoughWarning, match="is not a folder"):
        assert cache.read_cached(A) is None
    cache.write_cached(A, b"one")


def test_a_full_disk_breaks_nothing(folder, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    cache.write_cached(A, b"one")
    assert list(folder.iterdir()) == []


def test_the_oldest_go_first(folder, monkeypatch):
    monkeypatch.setattr(cache, "MOST", 1000)
    now = time.time()
    for age, name in enumerate((A, B, C)):
        cache.write_cached(name, b"x" * 300)
        os.utime(file(folder, name), (now - 60 + age, now - 60 + age))
    assert cache.read_cached(A) is not None  # and so it is the youngest
    write_whole(folder / "other.txt", b"y" * 5000)  # not ours: neither counted nor removed
    draft, new = folder / f".{'0' * 16}.tmp", folder / f".{'1' * 16}.tmp"
    for path, age in ((draft, 7200.0), (new, 0.0)):
        path.write_bytes(b"")
        os.utime(path, (now - age, now - age))
    cache.write_cached("d" * 64, b"x" * 300)
    left = {path.name[0] for path in folder.glob("*.kernel")}
    assert left == {"a", "d"}
    assert not draft.exists()
    assert new.exists()  # somebody may be writing it
    assert [entry.size for entry in cache.entries(folder)] == [300, 300]
    assert cache.clear(folder) == 2
    assert (folder / "other.txt").exists()


def test_too_large_a_file_is_not_kept(folder, monkeypatch):
    monkeypatch.setattr(cache, "_LARGEST", 10)
    cache.write_cached(A, b"x" * 11)
    assert cache.read_cached(A) is None


def test_threads_that_write_the_same_file_leave_it_whole(folder):
    contents = [bytes([k]) * 10_000 for k in range(4)]
    seen = []

    def work(content):
        for _ in range(5):
            cache.write_cached(A, content)
            seen.append(cache.read_cached(A))

    threads = [threading.Thread(target=work, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 20
    assert set(seen) <= set(contents)
