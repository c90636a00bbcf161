"""The collections on disk: one folder each, with a shard of the engine and the request that made it."""

import fcntl
import os
import shutil
import threading
from pathlib import Path

import grpc
import qdrant_edge as engine
from qdrant_client import grpc as proto

from refusal import Refusal, bad_input, from_engine, not_found
from schema import Schema, changed

# Written when the shard is ready, and removed before it; a folder without it is of a call that was cut short.
REQUEST_FILE = "collection.pb"
SHARD_FOLDER = "shard"
# Locked by the process. The engine would wait silently for another process to end; this lock is refused at once.
LOCK_FILE = ".lock"
# The longest name that Qdrant takes, in bytes.
NAME_MAX = 255


class Collection:
    """One collection. Its shard refuses every call once the collection is deleted."""

    def __init__(self, shard, schema):
        self.shard = shard
        self.schema = schema
        # Held to write and to flush: the engine does one of them at a time.
        self.writing = threading.Lock()
        self.is_dirty = False
        self.is_deleted = False

    def read(self, call):
        """Calls a function with the shard; errors of the engine become refusals."""
        try:
            return call(self.shard)
        except Exception as error:
            if self.is_deleted:
                raise not_found("the collection was deleted meanwhile") from error
            raise from_engine(error) from error

    def write(self, operation):
        """Applies one operation; when it returns, every later read sees it."""
        with self.writing:
            self.is_dirty = True
            self.read(lambda shard: shard.update(operation))

    def flush(self):
        """Writes the changes since the last flush into the files of the shard."""
        with self.writing:
            if self.is_dirty and not self.is_deleted:
                self.shard.flush()
                self.is_dirty = False

    def close(self):
        """Ends the collection: the engine writes its files for the last time here, whoever else holds the shard."""
        with self.writing:
            self.is_deleted = True
            self.shard.close()


class Store:
    """All collections of one data folder."""

    def __init__(self, folder):
        """Opens every collection in `folder`, which is made if it does not exist."""
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = lock(self.folder)
        # Held to make or delete a collection.
        self.changing = threading.Lock()
        self.collections = {}
        for path in filter(Path.is_dir, self.folder.iterdir()):
            if (path / REQUEST_FILE).is_file():
                self.collections[path.name] = load(path)
            else:
                remove_rest(path)

    def get(self, name):
        """Finds a collection."""
        collection = self.collections.get(name)
        if collection is None:
            raise not_found(f"Collection `{name}` doesn't exist!")
        return collection

    def create(self, request):
        """Makes a collection."""
        name = request.collection_name
        check_name(name)
        schema = Schema(request)
        with self.changing:
            if name in self.collections:
                raise Refusal(grpc.StatusCode.ALREADY_EXISTS, f"Wrong input: Collection `{name}` already exists!")
            path = self.folder / name
            shutil.rmtree(path, ignore_errors=True)
            (path / SHARD_FOLDER).mkdir(parents=True)
            try:
                shard = engine.EdgeShard.create(str(path / SHARD_FOLDER), schema.config())
                shard.flush()
            except Exception as error:
                raise from_engine(error) from error
            write_request(path, request)
            self.collections[name] = Collection(shard, schema)

    def update(self, change):
        """Changes settings of a collection."""
        with self.changing:
            collection = self.get(change.collection_name)
            request = changed(collection.schema.request, change)
            schema = Schema(request)
            write_request(self.folder / change.collection_name, request)
            collection.schema = schema

    def delete(self, name):
        """Deletes a collection with its files; returns true if it was there."""
        with self.changing:
            collection = self.collections.pop(name, None)
            if collection is None:
                return False
            collection.close()
            (self.folder / name / REQUEST_FILE).unlink()
            shutil.rmtree(self.folder / name)
            return True

    def flush(self):
        """Writes the changes of all collections into their files."""
        for collection in list(self.collections.values()):
            collection.flush()


def write_request(path, request):
    """Writes the request that makes a collection, at once."""
    draft = path / f"{REQUEST_FILE}.new"
    draft.write_bytes(request.SerializeToString())
    os.replace(draft, path / REQUEST_FILE)


def lock(folder):
    """Locks a data folder for as long as the process lives."""
    file = open(folder / LOCK_FILE, "w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OSError(f"the data in {folder} is in use by another process") from None
    return file


def load(path):
    """Opens the collection in a folder."""
    try:
        request = proto.CreateCollection.FromString((path / REQUEST_FILE).read_bytes())
        return Collection(engine.EdgeShard.load(str(path / SHARD_FOLDER)), Schema(request))
    except Exception as error:
        raise OSError(f"cannot open the collection in {path}: {error}") from error


def remove_rest(path):
    """Removes the rest of a collection that was not quite made or deleted; anything else is not ours to remove."""
    if {entry.name for entry in path.iterdir()} - {SHARD_FOLDER, f"{REQUEST_FILE}.new"}:
        raise OSError(f"{path} is no collection of this program; remove it (for the local stack: make clean-stack)")
    shutil.rmtree(path)


def check_name(name):
    is_plain = all(ord(letter) >= 32 and letter not in '\x7f<>:"/\\|?*' for letter in name)
    if not name or len(name.encode()) > NAME_MAX or name.startswith(".") or not is_plain:
        raise bad_input(f"`{name}` cannot be the name of a collection")
