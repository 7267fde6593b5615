"""The commands of `chatadt`: what a person may ask, checked, then handed to the loop in `_run`."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from importlib.metadata import version
from typing import Annotated, BinaryIO

import typer

from chatadt.cli._check import Question, checking, tell
from chatadt.cli._convert import Kind, Wish, Writer, conversion
from chatadt.cli._dialects import described, print_tables
from chatadt.cli._events import Coming, opened
from chatadt.cli._flow import flow
from chatadt.cli._output import indented
from chatadt.cli._records import Form
from chatadt.cli._run import STDIN, complain, noting, quietly, reading, run, size_of
from chatadt.cli._show import printer, showing
from chatadt.cli._terminal import Page, prepare
from chatadt.convert import KINDS
from chatadt.dialects import DIALECTS, FOLDERS
from chatadt.framing import Framing
from chatadt.loss import Policy

__all__ = ("app", "check", "convert", "dialects", "show")

app = typer.Typer(
    help="Chat messages of every provider: converted, checked and shown, with nothing lost in silence.",
    epilog="Exit codes: 0 all went well, 1 some of the input failed, 2 wrong use.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

File = Annotated[str, typer.Argument(metavar="FILE|-", show_default=False, help="JSON or JSON Lines; - is standard input.")]
AsJson = Annotated[bool, typer.Option("--json", help="The input is one JSON document.")]
AsLines = Annotated[bool, typer.Option("--jsonl", help="The input is JSON Lines, one document a line.")]
Model = Annotated[str | None, typer.Option(metavar="M", help="The model that is to answer, where that changes what is right.")]


def _tell_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"chatadt {version('chatadt')}")
        raise typer.Exit


@app.callback()
def _start(
    _: Annotated[bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    prepare()


@app.command()
def convert(
    source: Annotated[str, typer.Option("--from", metavar="D", help="The dialect of the input.")],
    target: Annotated[str, typer.Option("--to", metavar="D", help="The dialect of the output.")],
    file: File = STDIN,
    kind: Annotated[Kind, typer.Option(help="What the input is.")] = Kind.REQUEST,
    policy: Annotated[
        Policy,
        typer.Option(
            help="strict: no loss; faithful: none of content; lenient: any. Losses that the policy does not allow are failures."
        ),
    ] = Policy.FAITHFUL,
    repair: Annotated[
        bool | None, typer.Option("--repair/--no-repair", help="Mend what the target would refuse; lenient does so by default.")
    ] = None,
    losses: Annotated[str | None, typer.Option(metavar="FILE", help="Write losses and failures there, as JSON Lines.")] = None,
    model: Model = None,
    prefill: Annotated[
        bool | None, typer.Option("--prefill/--no-prefill", help="Whether the model goes on with an assistant message at the end.")
    ] = None,
    inline_system: Annotated[
        bool | None,
        typer.Option("--inline-system/--no-inline-system", help="Whether the model takes system messages inside a conversation."),
    ] = None,
    wire: Annotated[
        bool, typer.Option("--wire", help="Write a stream as the target's server frames it, whatever form it came in.")
    ] = False,
    json: AsJson = False,
    jsonl: AsLines = False,
) -> None:
    """Convert requests, answers or streams from one dialect to another; what is lost or fails goes to standard error."""
    form = _form(json, jsonl)
    names = _dialect(source, "--from"), _dialect(target, "--to")
    wish = Wish(*names, _kind(kind), policy, repair, model, inline_system, prefill)
    with quietly(), reading(file) as stream, noting(losses, file) as sink:
        writer = Writer(wish.source, sink)
        told = _opened(stream, DIALECTS[target].framing, wire) if kind is Kind.STREAM and form is None else stream
        if wire and not isinstance(told, Coming):
            raise typer.BadParameter("it is for a stream that comes event by event", param_hint="--wire")
        if isinstance(told, Coming):
            code = flow(told, wish, writer, size_of(stream))
        else:
            code = run(told, form, conversion(wish), writer.done, writer.failed)
    raise typer.Exit(code)


@app.command()
def check(
    target: Annotated[str, typer.Option("--as", metavar="D", help="The dialect whose server is to take it.")],
    file: File = STDIN,
    source: Annotated[
        str | None, typer.Option("--from", metavar="D", help="The dialect of the input; that of --as by default.")
    ] = None,
    model: Model = None,
    json: AsJson = False,
    jsonl: AsLines = False,
) -> None:
    """Print what a provider's server would refuse, each with its rule, its path, and what would make it right."""
    form = _form(json, jsonl)
    known = _dialect(target, "--as")
    question = Question(known if source is None else _dialect(source, "--from"), known, model)
    with quietly(), reading(file) as stream:
        code = run(stream, form, checking(question), tell, complain)
    raise typer.Exit(code)


@app.command()
def show(
    file: File = STDIN,
    source: Annotated[
        str | None, typer.Option("--from", metavar="D", help="The dialect of the input; chatadt's own JSON by default.")
    ] = None,
    json: AsJson = False,
    jsonl: AsLines = False,
) -> None:
    """Print conversations for people to read."""
    form = _form(json, jsonl)
    work = showing(None if source is None else _dialect(source, "--from"))
    with quietly(), reading(file) as stream:
        code = run(stream, form, work, printer(Page(highlight=False)), complain)
    raise typer.Exit(code)


@app.command()
def dialects(
    names: Annotated[list[str] | None, typer.Argument(metavar="D", help="Dialects to see in detail.", show_default=False)] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the dialects and what each can say."""
    chosen = [DIALECTS[_dialect(name, "D")] for name in names or (DIALECTS if json else FOLDERS)]
    with quietly():
        if json:
            sys.stdout.buffer.write(indented([described(dialect) for dialect in chosen]))
        else:
            print_tables(Page(highlight=False), chosen, in_detail=bool(names))


def _form(json: bool, jsonl: bool) -> Form | None:
    if json and jsonl:
        raise typer.BadParameter("the input is one JSON document or JSON Lines, not both", param_hint="--json, --jsonl")
    return Form.DOCUMENT if json else Form.LINES if jsonl else None


def _opened(stream: BinaryIO, framing: Framing, as_wire: bool) -> Coming | BinaryIO:
    try:
        return opened(stream, framing, as_wire=as_wire)
    except ImportError as error:
        raise typer.BadParameter(str(error), param_hint="FILE") from error


def _dialect(name: str, option: str) -> str:
    if name in DIALECTS:
        return name
    near = get_close_matches(name, DIALECTS, 1)
    hint = f", did you mean {near[0]}?" if near else "."
    raise typer.BadParameter(f"no dialect is named {name!r}{hint} Known: {', '.join(DIALECTS)}", param_hint=option)


def _kind(kind: Kind) -> str:
    if kind.value in KINDS:
        return kind.value
    raise typer.BadParameter(f"this version converts {', '.join(KINDS)}, not {kind.value}", param_hint="--kind")
