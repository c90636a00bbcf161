//! JSON Schemas of the types on the wire, with the types they name.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// The schema of a type.
#[derive(Debug, Clone, Copy)]
pub struct SchemaOf(fn(&mut SchemaGenerator) -> Schema);

impl SchemaOf {
    /// The schema of `T`.
    pub fn of<T: JsonSchema>() -> SchemaOf {
        SchemaOf(SchemaGenerator::subschema_for::<T>)
    }
}

/// Whether a type is read or written: an absent field may be the one and not the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The type is a request.
    Request,
    /// The type is a reply.
    Reply,
}

/// The types that schemas name, JSON Schema 2020-12.
pub struct Definitions {
    generator: SchemaGenerator,
}

impl Definitions {
    /// No types yet; they will stand at `path`, such as `/$defs`.
    pub fn at(path: &str, purpose: Purpose) -> Definitions {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = path.to_owned().into();
            settings.meta_schema = None;
        });
        let settings = match purpose {
            Purpose::Request => settings.for_deserialize(),
            Purpose::Reply => settings.for_serialize(),
        };
        Definitions { generator: settings.into_generator() }
    }

    /// The schema of a type: a reference, where the type has a name.
    pub fn add(&mut self, schema: SchemaOf) -> Value {
        (schema.0)(&mut self.generator).to_value()
    }

    /// All types that were named, by name.
    pub fn into_map(mut self) -> Map<String, Value> {
        self.generator.take_definitions(true)
    }
}
