//! The labels of definitions in source code.

use tree_sitter::Node;

use crate::chunk::Definition;

/// The kinds of definitions in the grammars, and the keyword before each name.
const WORDS: [(&str, &str); 33] = [
    ("function_item", "fn"),
    ("struct_item", "struct"),
    ("enum_item", "enum"),
    ("union_item", "union"),
    ("trait_item", "trait"),
    ("impl_item", "impl"),
    ("mod_item", "mod"),
    ("macro_definition", "macro"),
    ("type_item", "type"),
    ("class_definition", "class"),
    ("function_definition", "def"),
    ("class_declaration", "class"),
    ("abstract_class_declaration", "class"),
    ("interface_declaration", "interface"),
    ("enum_declaration", "enum"),
    ("record_declaration", "record"),
    ("annotation_type_declaration", "@interface"),
    ("type_alias_declaration", "type"),
    ("internal_module", "namespace"),
    ("function_declaration", "function"),
    ("generator_function_declaration", "function"),
    ("method_definition", ""),
    ("method_declaration", ""),
    ("constructor_declaration", ""),
    ("public_field_definition", ""),
    ("field_definition", ""),
    ("type_spec", "type"),
    ("type_declaration", "type"),
    ("struct_specifier", "struct"),
    ("union_specifier", "union"),
    ("enum_specifier", "enum"),
    ("type_definition", "typedef"),
    ("lexical_declaration", "const"),
];

/// Upper bound for the number of nodes around a name.
const AROUND: usize = 8;

/// Upper bound for the characters of a name that is shown.
const LONGEST: usize = 80;

/// Returns the label of the definition, such as `fn pump` or `impl Drop for Pump`; `None` if `node`
/// defines nothing.
pub(super) fn label(node: Node<'_>, text: &str) -> Option<String> {
    let node = inner(node);
    let (_, word) = WORDS.iter().find(|(kind, _)| *kind == node.kind())?;
    let name = name(node, text)?;
    let label = match (node.kind(), node.child_by_field_name("receiver")) {
        // A method in Go is not nested in its type, so the label includes the type.
        (_, Some(receiver)) => format!("func {} {name}", source(receiver, text)?),
        ("function_declaration", None) if text[node.byte_range()].starts_with("func ") => {
            format!("func {name}")
        }
        // A function definition in C has no keyword.
        ("function_definition", None) if node.child_by_field_name("declarator").is_some() => name,
        _ => format!("{word} {name}"),
    };
    let label = label.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(label.chars().take(LONGEST).collect())
}

/// Returns the definition under its bare name. `None` if `node` defines nothing, and for an
/// implementation, which only adds to a type that is defined elsewhere.
pub(super) fn definition(node: Node<'_>, text: &str) -> Option<Definition> {
    let node = inner(node);
    let (_, kind) = WORDS.iter().find(|(kind, _)| *kind == node.kind())?;
    if node.kind() == "impl_item" {
        return None;
    }
    let name = name(node, text)?;
    // In C, the name of a function includes its parameters, and a pointer its star.
    let bare = name.split('(').next().unwrap_or_default();
    let bare = bare.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let is_name = !bare.is_empty() && !bare.contains(char::is_whitespace);
    is_name.then(|| Definition {
        name: bare.chars().take(LONGEST).collect(),
        kind,
        start: node.start_byte(),
    })
}

/// Returns the node that contains the definitions within `node`.
pub(super) fn body(node: Node<'_>) -> Option<Node<'_>> {
    let node = inner(node);
    let is_container = [
        "impl_item",
        "trait_item",
        "mod_item",
        "class_definition",
        "class_declaration",
        "abstract_class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "internal_module",
    ];
    node.child_by_field_name("body").filter(|_| is_container.contains(&node.kind()))
}

/// Returns true if the node is a comment, an attribute or a decorator, which belongs to the text
/// after it.
pub(super) fn is_remark(node: Node<'_>) -> bool {
    node.kind().contains("comment") || matches!(node.kind(), "attribute_item" | "decorator")
}

/// Returns the definition inside an export, or below decorators.
fn inner(node: Node<'_>) -> Node<'_> {
    let field = match node.kind() {
        "export_statement" => "declaration",
        "decorated_definition" => "definition",
        _ => return node,
    };
    node.child_by_field_name(field).unwrap_or(node)
}

fn name(node: Node<'_>, text: &str) -> Option<String> {
    if node.kind() == "impl_item" {
        let target = source(node.child_by_field_name("type")?, text)?;
        let of = node.child_by_field_name("trait").and_then(|of| source(of, text));
        return Some(of.map_or(target.clone(), |of| format!("{of} for {target}")));
    }
    let mut at = node;
    for _ in 0..AROUND {
        let nearer = ["name", "property", "declarator"]
            .iter()
            .find_map(|field| at.child_by_field_name(field))
            .or_else(|| {
                let is_list = matches!(at.kind(), "lexical_declaration" | "type_declaration");
                at.named_child(0).filter(|_| is_list)
            });
        let Some(nearer) = nearer else { break };
        at = nearer;
    }
    if at == node { None } else { source(at, text) }
}

fn source(node: Node<'_>, text: &str) -> Option<String> {
    text.get(node.byte_range()).map(str::to_owned)
}
