"""Verifies an export of audit records with SHA-256 alone, as docs/audit.md describes it.

Knows nothing of haltgate but that page. Prints the project, the number of records and the last link; exits with 1 at the first
link that does not hold.
"""

import datetime
import hashlib
import json
import struct
import sys

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def field(value):
    if value is None:
        return struct.pack(">Q", 2**64 - 1)
    data = value.encode() if isinstance(value, str) else value
    return struct.pack(">Q", len(data)) + data


def number(value):
    return field(struct.pack(">q", value))


def microseconds(text):
    moment = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")
    return (moment.replace(tzinfo=datetime.timezone.utc) - EPOCH) // datetime.timedelta(microseconds=1)


def link(record):
    parts = [
        field("haltgate.audit.v1"),
        field(bytes.fromhex(record["previous_hash"])),
        number(record["sequence"]),
        field(record["project"]),
        field(record["record_id"]),
        number(microseconds(record["recorded_at"])),
    ]
    keys = ["kind", "session_id", "run_id", "action", "stage", "text", "body_json"]
    parts += [field(record[key]) for key in keys]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def genesis(project):
    return hashlib.sha256(field("haltgate.audit.v1.genesis") + field(project)).hexdigest()


def main(path):
    last = None
    count = 0
    with open(path, encoding="utf-8", newline="\n") as lines:
        for text in lines:
            record = json.loads(text)
            if "raw_data" in record:
                record = json.loads(record["raw_data"])
            expected = record["previous_hash"]
            if record["sequence"] == 1:
                expected = genesis(record["project"])
            if last is not None:
                expected = last["hash"]
                if record["sequence"] != last["sequence"] + 1:
                    sys.exit(f"record {last['sequence'] + 1} is missing")
            if record["previous_hash"] != expected or link(record) != record["hash"]:
                sys.exit(f"record {record['sequence']} does not hold")
            last = record
            count += 1
    print(last["project"], count, f"{last['sequence']}:{last['hash']}")


main(sys.argv[1])
