"""A scenario writes beside itself, and errors show nothing of files that are not ours."""

from dataclasses import replace

import pytest

from gough import load, scenario
from gough.base.tables import read_table
from gough.cli.scenario import outputs
from gough.errors import FileError

SECRET = "hunter2"
PLAIN = "gough: 1\nrobot: five_bar\nmotion: {kind: hold, duration: 0.1}\n"


def made(folder, output=""):
    path = folder / "scenario.yaml"
    path.write_text(PLAIN + output, encoding="utf-8")
    return scenario.load(path)


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """What the plain scenario gives, wherever it is written to."""
    return made(tmp_path_factory.mktemp("ran")).run()


@pytest.mark.parametrize("name", ["../out", "a/../../out", "/tmp/out", ".."])
def test_results_stay_in_the_folder_of_the_scenario(tmp_path, ran, name):
    inner = tmp_path / "inner"
    inner.mkdir()
    found = made(inner, f"output: {{folder: {name}}}\n")
    with pytest.raises(FileError, match=r"output\.folder: .* (leads out|absolute path)") as no:
        scenario.planned_files(found)
    assert (no.value.line, no.value.path) == (4, "output.folder")
    assert "-o FOLDER" in no.value.hint
    with pytest.raises(FileError, match=r"output\.folder"):
        scenario.write_outputs(replace(ran, scenario=found))
    assert [p.name for p in tmp_path.iterdir()] == ["inner"]
    # who says so himself may write anywhere
    assert scenario.planned_files(found, tmp_path / "out")["report"].parent == tmp_path / "out"


def test_links_do_not_lead_out(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "link").symlink_to(tmp_path, target_is_directory=True)
    (inner / "results").mkdir()
    with pytest.raises(FileError, match="leads out"):
        outputs.output_folder(made(inner, "output: {folder: link/out}\n"))
    (inner / "results" / "scenario").symlink_to(tmp_path, target_is_directory=True)
    with pytest.raises(FileError, match="leads out"):
        outputs.output_folder(made(inner))
    (inner / "results" / "scenario").unlink()
    (inner / "results" / "scenario").mkdir()
    (inner / "results" / "scenario" / "report.html").symlink_to(tmp_path / "stolen.html")
    with pytest.raises(FileError, match=r"'report\.html' in it is a link"):
        scenario.planned_files(made(inner))
    assert outputs.output_folder(made(inner, "output: {folder: a/../b}\n")).resolve().name == "b"


FOREIGN = [
    f"root:x:0:0:{SECRET}:/root:/bin/sh\nuser:x:1:1:{SECRET}:/home:/bin/sh\n",
    f"[login]\nuser = me\npassword = {SECRET}\n",
    f"password: {SECRET}\n",
    f"{SECRET}: 1\n{SECRET}: 2\n",
    f"- {SECRET}\n- !{SECRET} x\n",
    f"key: *{SECRET}\n",
    f'"{SECRET}\n',
    f"? [{SECRET}]\n: 1\n",
    f"!{SECRET * 300} x\n",
    f"7{SECRET}: 1\n12345678: {SECRET}\n",
]


@pytest.mark.parametrize("text", FOREIGN)
def test_a_file_that_is_not_ours_is_not_shown(tmp_path, text):
    foreign = tmp_path / "foreign.yaml"
    foreign.write_text(text, encoding="utf-8")
    path = tmp_path / "scenario.yaml"
    path.write_text("gough: 1\nrobot: ./foreign.yaml\nmotion: {kind: hold, duration: 1}\n")
    for read, given in ((load, foreign), (scenario.load, foreign), (scenario.load, path)):
        with pytest.raises(FileError) as no:
            read(given)
        err: BaseException | None = no.value
        while err is not None:  # a traceback shows causes as well
            assert SECRET not in str(err)
            assert "12345678" not in str(err)
            err = err.__cause__ or (None if err.__suppress_context__ else err.__context__)


@pytest.mark.parametrize("text", [*FOREIGN, f"{SECRET},{SECRET}\n1,2\n", f"user,id\n{SECRET},x\n"])
def test_a_table_that_is_none_is_not_shown(tmp_path, text):
    path = tmp_path / "poses.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError) as no:
        read_table(path)
    assert SECRET not in str(no.value)


def test_a_file_of_ours_is_quoted(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("gough: 1\nname: a\nname: b\n", encoding="utf-8")
    with pytest.raises(FileError, match="name: this key stands twice, on lines 2 and 3"):
        load(path)
