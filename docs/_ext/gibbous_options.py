"""The options of the program in the documentation, from src/options/options.def: the one place where they are written.

  {gibbous-option-table}         every option in one table
  {gibbous-options} VERB         the options of a verb by group, for manual pages
  {gibbous-option} NAME          one option with its facts; the body says when to change it

An option without an entry of the last kind, and an entry without an option, is a warning (an error under -W)."""

import pathlib
import re

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.util import logging

SOURCE = pathlib.Path(__file__).parents[2] / "src"
VERBS_H = SOURCE.parent / "cli" / "verbs.h"
logger = logging.getLogger(__name__)

FIELDS = ["name", "letter", "kind", "default", "low", "high", "argument", "group", "kept", "needs", "verbs", "help"]


def read_verbs():
    """Bits by name, and the names of the verbs themselves."""
    bits, verbs = {}, []
    text = VERBS_H.read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    for name, value in re.findall(r"(CLI_\w+)\s*=\s*([^,}]+)", text):
        bits[name] = eval(" ".join(value.split()), {"__builtins__": {}}, dict(bits))  # our own header: shifts and ors
        if re.fullmatch(r"1 << \d+\s*", value):
            verbs.append(name)
    return bits, verbs


def response_names():
    """What the macro GB_RESPONSE_NAMES stands for."""
    text = (SOURCE / "options" / "responses.h").read_text()
    rows = re.findall(r'^    ROW\(\w+, "([^"]+)", "([^"]+)"\)', text, flags=re.M)
    return "".join(f"{name} ({targets}), " for name, targets in rows)


def prior_choices():
    """What the macro GB_PRIOR_CHOICES stands for."""
    text = (SOURCE / "options" / "priors.h").read_text()
    return '"' + "|".join(re.findall(r'^    (?:FIRST|ROW)\(\w+, "([^"]+)"\)', text, flags=re.M)) + '"'


def read_options():
    bits, verbs = read_verbs()
    options = []
    text = (SOURCE / "options" / "options.def").read_text()
    text = text.replace('" GB_RESPONSE_NAMES "', response_names()).replace("GB_PRIOR_CHOICES", prior_choices())
    for row in re.findall(r"^GB_OPTION\((.*)\)$", text, flags=re.M):
        # Arguments are strings, characters and names; commas inside quotes do not separate.
        values = re.findall(r'\s*("(?:[^"\\]|\\.)*"|\'.\'|[^,"\']+)\s*(?:,|$)', row)
        if len(values) != len(FIELDS):
            raise ValueError(f"options.def: {len(values)} columns in {row}")
        values = [re.sub(r"\\(.)", r"\1", v[1:-1]) if v[0] in "\"'" else v.strip() for v in values]
        option = dict(zip(FIELDS, values))
        accepted = re.sub(r" \| CLI_(WRITES\([^)]*\)|COMMON)", "", option["verbs"])
        mask = eval(accepted, {"__builtins__": {}}, bits)
        option["verbs"] = [name_of(v) for v in verbs if mask & bits[v]]
        options.append(option)
    return options, [name_of(v) for v in verbs]


def name_of(verb):
    """CLI_TRAIN is train."""
    return verb.removeprefix("CLI_").lower()


OPTIONS, VERBS = read_options()
BY_NAME = {option["name"]: option for option in OPTIONS}


def spellings(option):
    """How the option is written, e.g. -k K, --topics K."""
    value = option["argument"] if option["kind"] not in ("FLAG", "SWITCH") else ""
    words = []
    if option["letter"] != "0":
        words.append(f"-{option['letter']} {value}".strip())
    words.append(f"--{option['name']} {value}".strip())
    if option["kind"] == "SWITCH":
        words.append(f"--no-{option['name']}")
    return words


def allowed(option):
    """What values it takes, in words."""
    kind, low, high = option["kind"], option["low"], option["high"]
    if kind in ("INT", "REAL"):
        what = "whole number" if kind == "INT" else "number"
        if option["default"] == "auto":
            what = f"auto or a {what}"
        if low and high:
            return f"{what} from {low} to {high}"
        return what
    return {
        "TEXT": "text",
        "LIST": "text, may be given several times",
        "FLAG": "no value",
        "SWITCH": "yes or no",
        "CHOICE": ", ".join(low.split("|")),
    }[kind]


def default(option):
    return "not set" if option["default"] == "" else option["default"]


def needs_of(option):
    """The column `needs` in words; names that are no options have dashes for blanks."""
    rules = []
    for rule in option["needs"].split("; "):
        scope, colon, conditions = rule.rpartition(": ")
        conditions = re.sub("(^|, |not | or )([a-z-]+)",
                            lambda found: found[1] + (found[2] if found[2] in BY_NAME else found[2].replace("-", " ")), conditions)
        rules.append(scope + colon + conditions.replace("|", " or "))
    return "; ".join(rules)


def term(option):
    node = nodes.term()
    for i, words in enumerate(spellings(option)):
        if i:
            node += nodes.Text(", ")
        node += nodes.literal(text=words)
    return node


def sentence(text):
    return text[0].upper() + text[1:] + "."


class OptionTable(Directive):
    def run(self):
        table = nodes.table(classes=["options"])
        group = nodes.tgroup(cols=5)
        table += group
        for width in (20, 12, 20, 18, 30):
            group += nodes.colspec(colwidth=width)
        head = nodes.thead()
        group += head
        head += self.row([nodes.Text(t) for t in ("option", "default", "values", "needs", "what it does")])
        body = nodes.tbody()
        group += body
        for option in OPTIONS:
            reference = nodes.reference("", "", nodes.literal(text=spellings(option)[-1 if option["letter"] != "0" else 0]),
                                        internal=True, refid=f"option-{option['name']}")
            body += self.row([reference, nodes.literal(text=option["default"]) if option["default"] else nodes.Text(""),
                              nodes.Text(allowed(option)), nodes.Text(needs_of(option)), nodes.Text(option["help"])])
        return [table]

    @staticmethod
    def row(cells):
        row = nodes.row()
        for cell in cells:
            entry = nodes.entry()
            entry += nodes.paragraph("", "", cell)
            row += entry
        return row


class VerbOptions(Directive):
    required_arguments = 1

    def run(self):
        verb = self.arguments[0]
        if verb not in VERBS:
            raise self.error(f"no verb '{verb}' in cli/verbs.h")
        result, group = [], None
        for option in OPTIONS:
            if verb not in option["verbs"]:
                continue
            if option["group"] != group:
                group = option["group"]
                result.append(nodes.rubric("", group.capitalize()))
                result.append(nodes.definition_list())
            text = sentence(option["help"])
            if option["kind"] == "CHOICE":
                text += f" One of {allowed(option)}."
            if option["default"] and option["kind"] != "FLAG":
                text += f" Default: {option['default']}."
            if option["needs"]:
                text += f" Needs: {needs_of(option)}."
            item = nodes.definition_list_item("", term(option), nodes.definition("", nodes.paragraph(text=text)))
            result[-1] += item
        return result


class Option(Directive):
    required_arguments = 1
    has_content = True

    def run(self):
        name = self.arguments[0]
        env = self.state.document.settings.env
        if name not in BY_NAME:
            raise self.error(f"no option '{name}' in src/options/options.def")
        option = BY_NAME[name]
        seen = env.gibbous_options = getattr(env, "gibbous_options", {})
        seen[name] = env.docname
        label = f"option-{name}"
        head = term(option)
        head["ids"].append(label)
        self.state.document.note_explicit_target(head)
        standard = env.get_domain("std")
        for words in spellings(option):
            standard.add_program_option(None, words.split()[0], env.docname, label)
        needs = f" Needs: {needs_of(option)}." if option["needs"] else ""
        facts = f"Values: {allowed(option)}. Default: {default(option)}.{needs} Verbs: {', '.join(option['verbs'])}."
        definition = nodes.definition("", nodes.paragraph(text=sentence(option["help"])))
        self.state.nested_parse(self.content, self.content_offset, definition)
        definition += nodes.paragraph("", "", nodes.emphasis(text=facts))
        return [nodes.definition_list("", nodes.definition_list_item("", head, definition), classes=["option"])]


def forget(app, env, docname):
    seen = getattr(env, "gibbous_options", {})
    env.gibbous_options = {name: doc for name, doc in seen.items() if doc != docname}


def check(app, env):
    for name in BY_NAME:
        if name not in getattr(env, "gibbous_options", {}):
            logger.warning("option --%s of src/options/options.def has no entry in the documentation", name)


def depend(app, docname, source):
    for path in (SOURCE / "options" / "options.def", VERBS_H):
        app.env.note_dependency(str(path))


def setup(app):
    app.add_directive("gibbous-option-table", OptionTable)
    app.add_directive("gibbous-options", VerbOptions)
    app.add_directive("gibbous-option", Option)
    app.connect("env-purge-doc", forget)
    app.connect("env-check-consistency", check)
    app.connect("source-read", depend)
    return {"version": "1", "parallel_read_safe": False}
