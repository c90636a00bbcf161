//! Counts requests and the units they consume.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use aws_sdk_dynamodb::config::interceptors::{
    AfterDeserializationInterceptorContextRef, BeforeSerializationInterceptorContextMut,
};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_sdk_dynamodb::operation::batch_get_item::{BatchGetItemInput, BatchGetItemOutput};
use aws_sdk_dynamodb::operation::delete_item::{DeleteItemInput, DeleteItemOutput};
use aws_sdk_dynamodb::operation::get_item::{GetItemInput, GetItemOutput};
use aws_sdk_dynamodb::operation::put_item::{PutItemInput, PutItemOutput};
use aws_sdk_dynamodb::operation::query::{QueryInput, QueryOutput};
use aws_sdk_dynamodb::operation::transact_write_items::{
    TransactWriteItemsInput, TransactWriteItemsOutput,
};
use aws_sdk_dynamodb::operation::update_item::{UpdateItemInput, UpdateItemOutput};
use aws_sdk_dynamodb::types::{ConsumedCapacity, ReturnConsumedCapacity};

/// The units consumed since the last reset, and the requests.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    requests: BTreeMap<&'static str, usize>,
    read: f64,
    written: f64,
}

impl fmt::Display for Reading {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let requests: Vec<String> =
            self.requests.iter().map(|(name, count)| format!("{count} {name}")).collect();
        let Reading { read, written, .. } = self;
        write!(formatter, "{read:>6} RCU {written:>5} WCU  {}", requests.join(", "))
    }
}

/// An interceptor of all requests of one client.
#[derive(Debug, Clone, Default)]
pub(crate) struct Meter(Arc<Mutex<Reading>>);

impl Meter {
    /// Starts a new count.
    pub(crate) fn reset(&self) {
        *self.0.lock().unwrap() = Reading::default();
    }

    /// Returns the units consumed since the last reset.
    pub(crate) fn take(&self) -> Reading {
        self.0.lock().unwrap().clone()
    }

    fn count(&self, name: &'static str, writes: bool, consumed: &[ConsumedCapacity]) {
        let mut reading = self.0.lock().unwrap();
        *reading.requests.entry(name).or_default() += 1;
        let units: f64 = consumed.iter().filter_map(|part| part.capacity_units).sum();
        if writes { reading.written += units } else { reading.read += units }
    }
}

impl Intercept for Meter {
    fn name(&self) -> &'static str {
        "meter"
    }

    fn modify_before_serialization(
        &self,
        context: &mut BeforeSerializationInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let input = context.input_mut();
        macro_rules! ask {
            ($($kind:ty),*) => {
                $(if let Some(input) = input.downcast_mut::<$kind>() {
                    input.return_consumed_capacity = Some(ReturnConsumedCapacity::Total);
                })*
            };
        }
        ask!(BatchGetItemInput, DeleteItemInput, GetItemInput, PutItemInput, QueryInput);
        ask!(TransactWriteItemsInput, UpdateItemInput);
        Ok(())
    }

    fn read_after_deserialization(
        &self,
        context: &AfterDeserializationInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let Ok(output) = context.output_or_error() else { return Ok(()) };
        macro_rules! one {
            ($($kind:ty, $name:literal, $writes:literal);*) => {
                $(if let Some(output) = output.downcast_ref::<$kind>() {
                    self.count($name, $writes, output.consumed_capacity.as_slice());
                })*
            };
        }
        one!(DeleteItemOutput, "DeleteItem", true; PutItemOutput, "PutItem", true);
        one!(UpdateItemOutput, "UpdateItem", true; QueryOutput, "Query", false);
        one!(GetItemOutput, "GetItem", false);
        if let Some(output) = output.downcast_ref::<BatchGetItemOutput>() {
            self.count("BatchGetItem", false, output.consumed_capacity());
        }
        if let Some(output) = output.downcast_ref::<TransactWriteItemsOutput>() {
            self.count("TransactWriteItems", true, output.consumed_capacity());
        }
        Ok(())
    }
}
