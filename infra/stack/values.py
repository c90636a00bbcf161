"""Values of an expanded template."""


def of_type(template, kind):
    return [(name, resource) for name, resource in template["Resources"].items() if resource["Type"] == kind]


def at(node, *path):
    """Follows the keys as far as they lead."""
    for key in path:
        node = node.get(key) if isinstance(node, dict) else None
    return node


def number(template, value):
    """A number, or the default of the parameter that gives it; None for anything else."""
    if isinstance(value, dict) and "Fn::If" in value:
        value = value["Fn::If"][1]
    if isinstance(value, dict) and "Ref" in value:
        value = at(template, "Parameters", value["Ref"], "Default")
    return value if isinstance(value, int) else None


def shares(template, value):
    """A number by each value of the parameter that it depends on; by None where it depends on none."""
    if at(value, "Fn::FindInMap"):
        rows, _, column = value["Fn::FindInMap"]
        return {int(row): columns[column] for row, columns in template["Mappings"][rows].items()}
    name = at(value["Fn::If"][1] if at(value, "Fn::If") else value, "Ref")
    values = at(template, "Parameters", name, "AllowedValues") if name else None
    return {own: own for own in values} if values else {None: number(template, value) or 0}


def listed(value):
    return value if isinstance(value, list) else [value]
