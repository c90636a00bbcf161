"""Makes infra/template.yaml of infra/functions.toml and infra/template, and docs/parameters.md of the templates: `make template`."""

import re

import jinja2

import lowering
import pages
import rows
from failure import Failure
from tools import ROOT

PARTS = ROOT / "infra" / "template"
MADE = ROOT / "infra" / "template.yaml"
PAGE = ROOT / "docs" / "parameters.md"
# CloudFormation and JSON have the brackets that Jinja uses by itself.
SYNTAX = {"line_statement_prefix": "%%", "variable_start_string": "<<", "variable_end_string": ">>"}


def render(tables=None):
    """The text of infra/template.yaml, of the rows that there are or of others."""
    tables = tables or rows.read()
    parts = jinja2.Environment(loader=jinja2.FileSystemLoader(PARTS), undefined=jinja2.StrictUndefined, trim_blocks=True,
                               lstrip_blocks=True, keep_trailing_newline=True, **SYNTAX)
    try:
        made = parts.get_template("template.yaml.j2").render(functions=tables["functions"], alarms=tables["alarms"],
                                                                 over=rows.alarms_over(tables["functions"]))
    except jinja2.TemplateError as error:
        raise Failure(f"infra/template: {error}") from None
    # Macros and loops leave blank lines behind; one stands before each section of the template.
    return re.sub(r"\n(?=[A-Z])", "\n\n", re.sub(r"\n{2,}", "\n", made))


def write():
    """Writes infra/template.yaml, and the page of all parameters."""
    MADE.write_text(render())
    PAGE.write_text(page())


def page():
    """The page of all parameters, of the templates as they are on disk."""
    names = ("infra/data.yaml", "infra/template.yaml", "infra/identity.yaml")
    return pages.parameters({name: lowering.load(ROOT / name) for name in names})
