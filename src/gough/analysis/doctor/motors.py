"""Motors: whether they control the platform, what they leave free, and which is guilty."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gough.analysis.doctor import remedies
from gough.analysis.doctor.examination import Examination
from gough.analysis.doctor.hexagons import find_figures
from gough.analysis.doctor.likeness import Chain, odd_motors, stray_motor
from gough.base import english as words
from gough.mechanism.mobility.singular import NEAR
from gough.modes.hexagons import HexagonRelation
from gough.robot import Joint
from gough.robot.finding import ERROR, NOTE, WARNING, Finding
from gough.robot.names import joint_of

_MANY = 4
_DECLARE = "If more motors than freedoms are meant, say redundant: true."


def explain_few(exam: Examination, finding: Finding) -> Finding:
    """Which motion is left free, and which axis lacks its motor, or which leg or joint is amiss."""
    axes = remedies.additions(exam)
    siblings = [
        (chain.leg, axis)
        for chain, usual in odd_motors(exam.chains)
        for axis in usual
        if axis in axes and len(chain.motors) < len(usual)
    ]
    data: dict[str, object] = {"candidates": axes, "missing": [axis for _, axis in siblings]}
    joints = tuple(joint_of(axis) for _, axis in siblings)
    loose = [] if siblings else remedies.loose_joints(exam, len(exam.motors))
    leg = None if siblings or loose else remedies.missing_leg(exam)
    others = f"on {_some(axes)}" if axes else ""
    if siblings:
        leg_name, axis = siblings[0]
        advice = f"A motor on {axis!r} is missing: the legs like {leg_name!r} have theirs there."
    elif loose:
        joint, kind = loose[0]
        joints = (joint.name,)
        data |= {"loose": [{"joint": j.name, "kind": k} for j, k in loose]}
        advice = _like_the_others(exam, joint, kind)
    elif leg is not None:
        data |= {"missing_leg_like": leg.leg}
        advice = (
            f"A leg is missing: all {len(exam.chains)} legs are alike ({leg.letters()}) and "
            "driven, and one more would make as many motors as freedoms."
        )
        advice += f" Or a motor: {others} one would control more." if others else ""
    else:
        lacking = exam.mobility - exam.rank(exam.motors)
        needed = "A motor" if lacking == 1 else f"{lacking} more are needed; one"
        advice = f"{needed} {others} would control more." if others else ""
    still_free, figures = _left_free(exam)
    return replace(
        finding,
        sentence=finding.sentence + still_free,
        advice=advice,
        motors=exam.motors,
        joints=joints,
        data={**finding.data, **figures, **data},
    )


def explain_many(exam: Examination, finding: Finding) -> Finding:
    """Whether a joint holds too much, or a motor is one too many."""
    wanted = len(exam.motors)
    if wanted > 6:
        return replace(
            finding,
            advice="Efforts of redundant motors are not unique, and no platform has more than 6 "
            f"freedoms. {_DECLARE}" * bool(exam.mobility),
        )
    guilty = remedies.loose_joints(exam, wanted)
    if guilty:
        joint, kind = guilty[0]
        return replace(
            finding,
            severity=ERROR,
            sentence=f"{finding.sentence}; joint {joint.name!r} holds too much",
            advice=_like_the_others(exam, joint, kind),
            joints=(joint.name,),
            data={**finding.data, "relaxations": [{"joint": joint.name, "kind": kind}]},
        )
    wider = remedies.relaxations(exam, wanted)
    wider = [pair for pair in wider[:_MANY] if remedies.confirmed(exam.robot, *pair, wanted)]
    spare = remedies.dependent_motors(exam, exam.motors)
    advice = []
    if exam.mobility and spare:
        advice.append(
            f"Efforts of redundant motors are not unique: drop one of {words.quoted(spare, 'or')}."
        )
    if exam.mobility:
        advice.append(_DECLARE)
    if wider:
        kinds = [f"{j.name!r} were {kind} instead of {j.kind}" for j, kind in wider]
        lead = "Or the" if advice else "The"
        advice.append(f"{lead} mobility would be {wanted} if {words.listed(kinds, 'or')}.")
    return replace(
        finding,
        advice=" ".join(advice),
        data={
            **finding.data,
            "dependent": list(spare),
            "relaxations": [{"joint": j.name, "kind": kind} for j, kind in wider],
        },
    )


def _like_the_others(exam: Examination, joint: Joint, kind: str) -> str:
    return (
        f"If joint {joint.name!r} ({joint.kind}) were {kind}, as in the other legs, the mobility "
        f"would be {len(exam.motors)}, as many as motors."
    )


def explain_not_redundant(exam: Examination, finding: Finding) -> Finding:
    """Where one more motor could sit; or no word of redundance."""
    axes = remedies.free_axes(exam) if len(exam.motors) == exam.mobility else []
    other = f", or add a motor, for instance on {_some(axes)}" if axes else ""
    data = {**finding.data, "candidates": axes}
    return replace(finding, advice=f"Drop redundant: true{other}.", data=data)


def explain_uncontrolled(exam: Examination, finding: Finding) -> Iterator[Finding]:
    """Motors that depend on each other, the motion left free, and what would control it."""
    still = exam.still_motors()
    for motor in still:
        yield _still(exam, motor)
    figures = find_figures(exam) if exam.mobility == len(exam.motors) == 6 else None
    if figures is not None and figures.relation and figures.conic:
        yield _hexagons(exam, finding, figures)
        return
    rest = tuple(name for name in exam.motors if name not in still)
    dependent = remedies.dependent_motors(exam, rest)
    against = f"; {words.quoted(dependent)} depend on each other" if len(dependent) > 1 else ""
    everywhere = "" if still else " in any posture"
    advice, data = _remedy(exam, still, dependent)
    still_free, twists = _left_free(exam)
    yield replace(
        finding,
        sentence=f"{finding.sentence}{everywhere}{against}{still_free}",
        advice=advice,
        motors=tuple(still) or dependent or exam.motors,
        data={
            **finding.data,
            **twists,
            "dependent": list(dependent),
            "idle_motors": still,
            **data,
        },
    )


def _remedy(
    exam: Examination, still: list[str], dependent: tuple[str, ...]
) -> tuple[str, dict[str, object]]:
    """Where motors should sit instead."""
    odd = [
        (motor, [axis for axis in usual if axis not in exam.motors])
        for chain, usual in odd_motors(exam.chains)
        for motor in chain.motors
        if motor not in usual
    ]
    guilty = list(still) or [motor for motor, _ in odd if motor in dependent]
    for motor in guilty[:1]:
        better = remedies.moves(exam, motor)
        usual_axes = [
            axis for name, usual in odd if name == motor for axis in usual if axis in better
        ]
        better = usual_axes + [axis for axis in better if axis not in usual_axes]
        if better:
            text = f"A motor on {_some(better)} instead of {motor!r} would control the platform."
            return text, {"guilty": motor, "instead": better}
    together = remedies.moves_of_all(exam)
    single = {m: remedies.moves(exam, m) for m in dependent or exam.motors}
    single = {m: axes for m, axes in single.items() if axes}
    texts = []
    if together:
        texts.append(f"Motors on {words.quoted(together[0])} would control the platform.")
    if single:
        motor, axes = next(iter(single.items()))
        lead = "So would" if together else "A motor on"
        tail = "" if together else " would control the platform"
        one = "one motor on " if together else ""
        texts.append(f"{lead} {one}{_some(axes)} instead of {motor!r}{tail}.")
    if not texts:
        kept = _independent(exam)
        added = remedies.completions(exam, kept, remedies.free_axes(exam))
        if added:
            texts.append(f"Motors on {words.quoted([*kept, *added])} would control the platform.")
    if not texts:
        texts.append("No choice of single axes was found that would: the geometry is to blame.")
    return " ".join(texts), {"together": [list(t) for t in together], "instead_of": single}


def _hexagons(exam: Examination, finding: Finding, figures: HexagonRelation) -> Finding:
    similar = figures.relation == "similar"
    what = f"similar hexagons (ratio {figures.ratio:.4g})" if similar else "affine hexagons"
    still_free, twists = _left_free(exam)
    return replace(
        finding,
        code="similar-hexagons",
        sentence=f"{finding.sentence} in any posture: the joints at base and platform form {what} "
        f"on a conic, singular everywhere (architecturally singular){still_free}",
        advice="Change the figure of one side, for example the angles between its pairs of joints; "
        "other lengths or another home do not help.",
        joints=tuple(j.name for chain in exam.chains for j in (chain.joints[0], chain.joints[-1])),
        data={**finding.data, **twists, "relation": figures.relation, "ratio": figures.ratio},
    )


def _still(exam: Examination, motor: str) -> Finding:
    why = (
        "it drives an idle freedom, which the platform does not feel"
        if motor in exam.idle_axes
        else "its axis stays as it is while the platform moves"
    )
    return Finding(
        "idle-motor",
        ERROR,
        f"motor {motor!r} does nothing to the platform: {why}",
        joints=(joint_of(motor),),
        motors=(motor,),
        data={"axis": motor, "idle": motor in exam.idle_axes},
    )


def look_at_motors(exam: Examination) -> Iterator[Finding]:
    """Motors that sit elsewhere than in the like legs; how well all of them control."""
    if not exam.mobility or exam.rank(exam.motors) < exam.mobility:
        return
    for chain, usual in odd_motors(exam.chains):
        strange = tuple(motor for motor in chain.motors if motor not in usual)
        if strange and len(chain.motors) == len(usual):
            text = (
                f"leg {chain.leg!r} is driven at {words.quoted(strange)}, the legs like it where "
                f"it has {words.quoted(usual)}"
            )
            yield _odd_motor(text, chain, strange, usual)
    stray = stray_motor(exam.chains)
    if stray is not None:
        lame, axis, strong, motor = stray
        text = (
            f"leg {lame.leg!r} has no motor on {axis!r}, where the legs like it have theirs, and "
            f"leg {strong.leg!r} has one more, on {motor!r}"
        )
        yield _odd_motor(text, strong, (motor,), (axis,))
    if len(exam.motors) > exam.mobility:
        yield from _redundance(exam)
    sample = exam.controlled
    seen = exam.distances(sample)
    condition, smallest = float(seen.condition), float(seen.type_2)
    where = "at home" if sample == 0 else "near home"
    count = len(exam.motors)
    yield Finding(
        "motors",
        NOTE,
        f"{words.counted(count, 'motor')} control{'s' * (count == 1)} every "
        "freedom; condition number "
        f"{condition:.3g} {where} (lengths in units of {exam.length:.3g} m)",
        motors=exam.motors,
        data={"condition": condition, "type_2": smallest, "motors": len(exam.motors)},
    )
    if smallest < NEAR and sample == 0:
        free = words.motion(exam.softest(sample), exam.origin(sample), exam.length)
        yield Finding(
            "nearly-singular-home",
            WARNING,
            f"home is near a Type 2 singularity (smallest singular value {smallest:.2g}, below "
            f"{NEAR:g}): the motors hardly feel the platform {free}",
            advice="Efforts near home grow without bound; choose another home or geometry.",
            motors=exam.motors,
            data={"condition": condition, "type_2": smallest},
        )


def _odd_motor(text: str, chain: Chain, motors: tuple[str, ...], usual: tuple[str, ...]) -> Finding:
    return Finding(
        "odd-motor",
        WARNING,
        text,
        advice="All freedoms are controlled; if this is not meant, move the motor.",
        joints=tuple(map(joint_of, motors)),
        motors=motors,
        data={"leg": chain.leg, "usual": list(usual)},
    )


def _redundance(exam: Examination) -> Iterator[Finding]:
    """Which motors help others out, and which do nothing or have no helper."""
    still = exam.still_motors()
    for motor in still:  # the others control the platform
        yield replace(_still(exam, motor), severity=WARNING)
    if not exam.robot.redundant:
        return
    count, n = len(exam.motors), exam.mobility
    alone = [
        name
        for name in exam.motors
        if exam.rank(tuple(other for other in exam.motors if other != name)) < n
    ]
    text = (
        f"{words.counted(count, 'motor')} for {words.counted(n, 'freedom')}: "
        f"{count - n} redundant, declared; efforts are shared (gough.EffortSharing)"
    )
    if alone:
        one = "it" if len(alone) == 1 else "any of them"
        text += (
            f", but {words.quoted(alone)} cannot be preloaded: without {one} the others do not "
            "control the platform"
        )
    yield Finding(
        "redundant",
        NOTE,
        text,
        motors=exam.motors,
        data={"motors": count, "mobility": n, "spare": count - n, "alone": alone},
    )


def _left_free(exam: Examination) -> tuple[str, dict[str, object]]:
    """``; with all motors locked the platform can still ...``, and the twists and their pose."""
    sample = exam.controlled
    free = exam.left_free(exam.motors, sample)
    if not free.shape[1] or not exam.motors:
        return "", {}
    simple = words.simplest(free, exam.length)
    found = words.motions(free, exam.origin(sample), exam.length)
    what = f"move in {len(found)} ways" if len(found) > _MANY else words.listed(found)
    where = "" if sample == 0 else ", here near home"
    data = {"free": simple.T.tolist(), "T_0p": exam.assembly.samples[sample][0].tolist()}
    return f"; with all motors locked the platform can still {what}{where}", data


def _independent(exam: Examination) -> tuple[str, ...]:
    """Motors that do not depend on those before them."""
    kept: tuple[str, ...] = ()
    for name in exam.motors:
        if exam.rank((*kept, name)) > len(kept):
            kept = (*kept, name)
    return kept


def _some(names: list[str]) -> str:
    shown = words.quoted(names[:_MANY], "or")
    return shown if len(names) <= _MANY else f"{shown} (or {len(names) - _MANY} other axes)"
