//! Uploaded files in S3.

use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_s3::Client;
use aws_sdk_s3::error::{BuildError, ProvideErrorMetadata, SdkError};
use aws_sdk_s3::operation::delete_objects::builders::DeleteObjectsFluentBuilder;
use aws_sdk_s3::operation::get_object::GetObjectError;
use aws_sdk_s3::operation::list_object_versions::ListObjectVersionsOutput;
use aws_sdk_s3::presigning::{PresignedRequest, PresigningConfig};
use aws_sdk_s3::types::{Delete, ObjectIdentifier};
use model::{Error, Result};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use ports::{Files, Hiding, Page, StoredFile, Ticket};

use crate::aws::{self, Patience};
use crate::env::{self, SettingError};

/// The name by which the caller may know it.
const SERVICE: &str = "the document store";

/// 25 MiB take a few seconds at worst.
const PATIENCE: Patience =
    Patience { attempt: Duration::from_secs(20), operation: Duration::from_mins(1) };

/// The time in which an upload's address can be used.
const EXPIRES: Duration = Duration::from_mins(15);

/// The most files, or versions of files, that one call takes away.
const BATCH: usize = 1_000;

/// The bucket of the uploaded documents. Setting: `BUCKET`.
pub struct Bucket {
    client: Client,
    name: String,
}

impl Bucket {
    /// Makes the client; it connects when it is first used.
    pub fn from_env() -> Result<Bucket, SettingError> {
        let client = Client::new(&aws::config("S3", &PATIENCE)?);
        Ok(Bucket { client, name: env::required("BUCKET")? })
    }
}

#[async_trait]
impl Files for Bucket {
    async fn read(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let object = match self.client.get_object().bucket(&self.name).key(key).send().await {
            Ok(object) => object,
            Err(SdkError::ServiceError(error))
                if matches!(error.err(), GetObjectError::NoSuchKey(_)) =>
            {
                return Ok(None);
            }
            Err(error) => {
                return Err(Error::unavailable(SERVICE, aws::describe(&error)));
            }
        };
        let bytes =
            object.body.collect().await.map_err(|error| Error::unavailable(SERVICE, error))?;
        Ok(Some(bytes.to_vec()))
    }

    async fn copy(&self, from: &str, to: &str) -> Result<bool> {
        self.copy_from(&encoded(from), to).await
    }

    async fn write(&self, key: &str, bytes: Vec<u8>) -> Result<()> {
        let put = self.client.put_object().bucket(&self.name).key(key).body(bytes.into());
        let put = put.content_type("application/octet-stream").send().await;
        put.map(drop).map_err(|error| Error::unavailable(SERVICE, aws::describe(&error)))
    }

    async fn ticket(&self, key: &str, content_type: &str, bytes: u64) -> Result<Ticket> {
        let failed = |error: String| Error::unavailable(SERVICE, error);
        let expires =
            PresigningConfig::expires_in(EXPIRES).map_err(|error| failed(error.to_string()))?;
        let length = i64::try_from(bytes).map_err(|error| failed(error.to_string()))?;
        let put = self
            .client
            .put_object()
            .bucket(&self.name)
            .key(key)
            .content_type(content_type)
            .content_length(length)
            // Once: what was read is what stays there.
            .if_none_match("*");
        let signed = put.presigned(expires).await.map_err(|error| failed(aws::describe(&error)))?;
        Ok(Ticket {
            url: signed.uri().into(),
            headers: bound(&signed),
            expires_in: EXPIRES.as_secs(),
        })
    }

    async fn list(
        &self,
        prefix: &str,
        after: Option<&StoredFile>,
    ) -> Result<Page<StoredFile, StoredFile>> {
        let request = self.client.list_object_versions().bucket(&self.name).prefix(prefix);
        let request = request
            .set_key_marker(after.map(|after| after.key.clone()))
            .set_version_id_marker(after.map(|after| after.version.clone()));
        let page = request
            .send()
            .await
            .map_err(|error| Error::unavailable(SERVICE, aws::describe(&error)))?;
        let next = page.next_key_marker().zip(page.next_version_id_marker());
        let next = next.map(|(key, version)| stored(key, version));
        let next = next_page(next, page.is_truncated())?;
        Ok(Page { items: versions(&page), next })
    }

    async fn delete_versions(&self, files: &[StoredFile]) -> Result<()> {
        for files in files.chunks(BATCH) {
            let versions =
                files.iter().map(|file| (file.key.as_str(), Some(file.version.as_str())));
            delete(self.deletion(versions)?).await?;
        }
        Ok(())
    }
}

#[async_trait]
impl Hiding for Bucket {
    async fn present(&self, prefix: &str, after: Option<&str>) -> Result<Page<String, String>> {
        let request = self.client.list_objects_v2().bucket(&self.name).prefix(prefix);
        let request = request.set_start_after(after.map(str::to_owned));
        let page = request
            .send()
            .await
            .map_err(|error| Error::unavailable(SERVICE, aws::describe(&error)))?;
        let items: Vec<String> =
            page.contents().iter().filter_map(|content| content.key().map(str::to_owned)).collect();
        let next = next_page(items.last().cloned(), page.is_truncated())?;
        Ok(Page { items, next })
    }

    async fn hide(&self, keys: &[String]) -> Result<()> {
        for keys in keys.chunks(BATCH) {
            delete(self.deletion(keys.iter().map(|key| (key.as_str(), None)))?).await?;
        }
        Ok(())
    }

    async fn copy_hidden(&self, from: &str, to: &str) -> Result<bool> {
        let list = self.client.list_object_versions().bucket(&self.name).prefix(from).send().await;
        let list = list.map_err(|error| Error::unavailable(SERVICE, aws::describe(&error)))?;
        // The latest version of a key comes first; marks are listed apart.
        let version = list.versions().iter().find(|version| version.key() == Some(from));
        let Some(id) = version.and_then(|version| version.version_id()) else { return Ok(false) };
        self.copy_from(&format!("{}?versionId={id}", encoded(from)), to).await
    }
}

impl Bucket {
    /// Copies the file, or the version of it, that `from` names as the source of a copy.
    async fn copy_from(&self, from: &str, to: &str) -> Result<bool> {
        let source = format!("{}/{from}", self.name);
        let copy = self.client.copy_object().bucket(&self.name).copy_source(source).key(to);
        match copy.send().await {
            Ok(_) => Ok(true),
            Err(error) if error.code() == Some("NoSuchKey") => Ok(false),
            Err(error) => Err(Error::unavailable(SERVICE, aws::describe(&error))),
        }
    }

    /// Deletes these versions for good. Where none is named S3 puts a mark on the file, and keeps
    /// what it has.
    fn deletion<'a>(
        &self,
        files: impl Iterator<Item = (&'a str, Option<&'a str>)>,
    ) -> Result<DeleteObjectsFluentBuilder> {
        let failed = |error: BuildError| Error::unavailable(SERVICE, error.to_string());
        let one = |(key, version): (&str, Option<&str>)| {
            let version = version.map(str::to_owned);
            ObjectIdentifier::builder().key(key).set_version_id(version).build()
        };
        let ones: Vec<ObjectIdentifier> =
            files.map(one).collect::<Result<_, _>>().map_err(failed)?;
        let delete = Delete::builder().set_objects(Some(ones)).quiet(true).build();
        Ok(self.client.delete_objects().bucket(&self.name).delete(delete.map_err(failed)?))
    }
}

async fn delete(request: DeleteObjectsFluentBuilder) -> Result<()> {
    let failed = |cause: String| Error::unavailable(SERVICE, cause);
    let answer = request.send().await;
    let answer = answer.map_err(|error| failed(aws::describe(&error)))?;
    match answer.errors().first() {
        None => Ok(()),
        Some(error) => Err(failed(format!("{:?}: {:?}", error.code(), error.message()))),
    }
}

/// A key as the source of a copy: escaped, but for the slashes.
fn encoded(key: &str) -> String {
    const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.');
    utf8_percent_encode(key, PLAIN).to_string()
}

/// Returns where the next page of a list begins: after `last`, where the list was cut.
fn next_page<T>(last: Option<T>, is_cut: Option<bool>) -> Result<Option<T>> {
    let is_cut = is_cut.unwrap_or_default();
    if is_cut && last.is_none() {
        return Err(Error::unavailable(SERVICE, "a list that is cut without saying where"));
    }
    Ok(last.filter(|_| is_cut))
}

/// The versions of a page, those that are marks of a deletion included.
fn versions(page: &ListObjectVersionsOutput) -> Vec<StoredFile> {
    let versions = page.versions().iter().map(|version| (version.key(), version.version_id()));
    let marks = page
        .delete_markers()
        .iter()
        .map(|delete_marker| (delete_marker.key(), delete_marker.version_id()));
    let all = versions.chain(marks);
    all.filter_map(|(key, version)| Some(stored(key?, version?))).collect()
}

fn stored(key: &str, version: &str) -> StoredFile {
    StoredFile { key: key.into(), version: version.into() }
}

/// The headers that the signature binds; what else the client would send, such as a trace id, is
/// our own business.
fn bound(signed: &PresignedRequest) -> Vec<(String, String)> {
    let is_bound = |name: &str| name.starts_with("content-") || name == "if-none-match";
    let headers = signed.headers().filter(|(name, _)| is_bound(name));
    headers.map(|(name, value)| (name.into(), value.into())).collect()
}

#[cfg(test)]
mod tests {
    use aws_credential_types::Credentials;
    use aws_sdk_s3::config::{BehaviorVersion, Config, Region};

    use super::*;

    /// Returns what a deletion of these files asks S3 for: keys and versions.
    fn asked(files: &[(&str, Option<&str>)]) -> Vec<(String, Option<String>)> {
        let config = Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("us-east-1"))
            .credentials_provider(Credentials::new("test", "test", None, None, "test"))
            .http_client(aws_smithy_http_client::Builder::new().build_http())
            .build();
        let bucket = Bucket { client: Client::from_conf(config), name: "documents".into() };
        let request = bucket.deletion(files.iter().copied()).unwrap();
        let delete = request.as_input().get_delete().clone().unwrap();
        let one = |identifier: &ObjectIdentifier| {
            (identifier.key().into(), identifier.version_id().map(Into::into))
        };
        delete.objects().iter().map(one).collect()
    }

    #[test]
    fn a_file_is_hidden_by_its_key_alone_and_a_version_is_removed_by_its_id() {
        assert_eq!(asked(&[("documents/a", None)]), [("documents/a".into(), None)]);
        let version = [("documents/a".into(), Some("v1".into()))];
        assert_eq!(asked(&[("documents/a", Some("v1"))]), version);
    }

    #[test]
    fn a_key_is_escaped_as_the_source_of_a_copy() {
        assert_eq!(encoded("documents/team:a b/7/01A"), "documents/team%3Aa%20b/7/01A");
    }

    #[test]
    fn a_list_goes_on_after_its_last_entry_only_where_it_was_cut() {
        assert_eq!(next_page(Some("a"), Some(true)).unwrap(), Some("a"));
        assert_eq!(next_page(Some("a"), Some(false)).unwrap(), None);
        assert_eq!(next_page(Some("a"), None).unwrap(), None);
        assert_eq!(next_page::<&str>(None, Some(false)).unwrap(), None);
        assert!(next_page::<&str>(None, Some(true)).is_err());
    }
}
