"""``gough view``: a page is written, opened on request, and refused before any work."""

import webbrowser

import pytest

COMMAND = ("view",)


@pytest.fixture
def looked_at(monkeypatch):
    found = []
    monkeypatch.setattr(webbrowser, "open", found.append)
    return found


def test_a_page_is_written_and_opened(gough, looked_at, tmp_path):
    code, out, _ = gough("five_bar", "circle:radius=0.02,duration=0.5", "--no-modes")
    assert code == 0
    assert "page.html" in out
    assert looked_at == [(tmp_path / "page.html").as_uri()]
    assert '"simulated":false' in (tmp_path / "page.html").read_text()


def test_the_simulation_of_a_scenario_is_played(gough, looked_at, tmp_path):
    (tmp_path / "fall.yaml").write_text(
        "gough: 1\nrobot: five_bar\nsimulation: {t_end: 0.05}\n", encoding="utf-8"
    )
    code, _, err = gough("five_bar", "fall.yaml", "-o", "fall.html", "--no-open", "--no-modes")
    assert (code, err) == (0, "")
    assert looked_at == []
    assert '"simulated":true' in (tmp_path / "fall.html").read_text()


def test_what_was_assumed_about_a_file_of_another_program_is_said(gough, looked_at, tmp_path):
    arm = '<body name="arm"><joint name="q"/><geom size=".1" pos=".2 0 0"/></body>'
    (tmp_path / "arm.xml").write_text(f"<mujoco><worldbody>{arm}</worldbody></mujoco>")
    code, _, err = gough("arm.xml", "--no-open", "--no-modes")
    assert code == 0
    assert "'arm' is taken for the platform" in err


@pytest.mark.parametrize("name", ["a.pdf", "there.html"])
def test_files_are_refused_before_the_work(gough, monkeypatch, tmp_path, name):
    (tmp_path / "there.html").write_text("mine")
    monkeypatch.setattr("gough.zoo.registry.load", None)  # no robot is asked for
    code, _, err = gough("five_bar", "-o", name)
    assert code == 1
    assert name in err


def test_a_run_writes_a_page_that_the_report_links(gough, monkeypatch, tmp_path):
    (tmp_path / "run.yaml").write_text(
        "gough: 1\nrobot: five_bar\nmotion: {kind: circle, radius: 0.02, duration: 0.3}\n"
        "loads: {payload: {mass: 0.4, from: 0.1}}\n"
        "output: {page: true, tables: none, without: [workspace, bearings]}\n",
        encoding="utf-8",
    )
    import sys

    from gough.cli import main

    monkeypatch.setattr(sys, "argv", ["gough", "run", "run.yaml"])
    with pytest.raises(SystemExit) as done:
        main()
    assert not done.value.code
    folder = tmp_path / "results" / "run"
    page = (folder / "page.html").read_text()
    assert 'id="content"' in page
    assert "payload: 0.4 kg from 0.1 s on" in page
    report = (folder / "report.html").read_text()
    assert 'href="page.html"' in report
    assert "<script" not in report
