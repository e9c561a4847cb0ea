"""Reads what was sent to a collector with the protocol's own protobuf schema (PyPI: opentelemetry-proto).

Each line of standard input is {"signal", "encoding", "body"}, the body in base64. Each line of standard output is the
request as the schema reads it, in proto3 JSON. A body that the schema does not know ends the program with an error.
"""

import base64
import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

REQUESTS = {"traces": ExportTraceServiceRequest, "metrics": ExportMetricsServiceRequest}
# OTLP/JSON has ids in hexadecimal digits where proto3 JSON has base64.
IDS = ("traceId", "spanId", "parentSpanId")


def with_base64_ids(value):
    if isinstance(value, list):
        return [with_base64_ids(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: base64.b64encode(bytes.fromhex(each)).decode() if name in IDS and each else with_base64_ids(each)
        for name, each in value.items()
    }


def read(signal, encoding, body):
    request = REQUESTS[signal]()
    if encoding == "protobuf":
        request.ParseFromString(body)
        unknown = request.SerializeToString(deterministic=True)
        known = REQUESTS[signal]()
        known.ParseFromString(unknown)
        known.DiscardUnknownFields()
        assert known.SerializeToString(deterministic=True) == unknown, "fields that the schema does not have"
    else:
        json_format.ParseDict(with_base64_ids(json.loads(body)), request, ignore_unknown_fields=False)
    return request


for line in sys.stdin:
    sent = json.loads(line)
    request = read(sent["signal"], sent["encoding"], base64.b64decode(sent["body"]))
    print(json.dumps(json_format.MessageToDict(request)), flush=True)
