//! What callers send to the HTTP API and get from it, and the records of projects, decisions and
//! cases in it.

pub mod alerts;
pub mod answer;
pub mod cases;
pub mod common;
pub mod custom;
pub mod decisions;
pub mod documents;
pub mod fit;
pub mod health;
pub mod keys;
pub mod knowledge;
pub mod meta;
pub mod passages;
pub mod problem;
pub mod projects;
pub mod records;
pub mod request;
pub mod route;
pub mod search;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod trail;
pub mod trial;

/// Declares the modules of workflows, their names, and the macro that finds a workflow by its name.
macro_rules! workflows {
    ($dollar:tt $($name:ident: $workflow:ident,)+) => {
        $(pub mod $name;)+

        /// The names of all workflows that have a function of their own.
        pub const WORKFLOWS: &[&str] = &[$(stringify!($name)),+];

        /// Evaluates an expression for the workflow with a name, which it has as a type; `None` for
        /// another name. The type implements [`request::Workflow`].
        #[macro_export]
        macro_rules! for_workflow {
            ($dollar name:expr, $dollar workflow:ident => $dollar then:expr) => {{
                let name: &str = $dollar name;
                $(if name == stringify!($name) {
                    type $dollar workflow = $dollar crate::$name::$workflow;
                    Some($dollar then)
                } else)+ {
                    None
                }
            }};
        }
    };
}

workflows! { $
    rcca: Rcca,
    trade: Trade,
    explore: Explore,
    plan: Plan,
}
