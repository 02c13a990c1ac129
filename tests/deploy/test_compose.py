"""What the composed services must keep to; an engine has not run them."""

import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
import yaml
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from croupier_server.store.embedded import find_server
from support.audit_tools import audit_tool
from support.clusters import free_ports
from support.programs import run

DEPLOY = Path(__file__).parents[2] / "deploy"
SERVICES = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
NETWORKS = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["networks"]


def test_the_store_keeps_every_key_over_a_restart():
    command = " ".join(SERVICES["store"]["command"])
    assert "--appendonly yes" in command
    assert "--maxmemory-policy noeviction" in command
    assert SERVICES["store"]["volumes"] == ["store:/data"]


@pytest.mark.slow
def test_what_the_store_was_told_is_there_after_a_stop_and_a_start_of_its_command(tmp_path):
    """J9: the file's own command, on this machine's program; a restart of its container is no more."""
    command = SERVICES["store"]["command"]
    assert command[0] == "valkey-server"
    for expected in (None, b"9007199254740991"):
        with restarted(tmp_path, command[1:]) as store:
            assert store.get("bankroll") == expected
            store.set("bankroll", 9_007_199_254_740_991)


@contextmanager
def restarted(folder: Path, arguments: list[str]):
    """A client of a store that keeps its files in `folder` and is told to stop at the end."""
    [port] = free_ports(1)
    where = ("--dir", str(folder), "--bind", "127.0.0.1", "--port", str(port))
    process = subprocess.Popen([find_server(), *arguments, *where], stdout=subprocess.DEVNULL)
    retry = Retry(ConstantBackoff(0.05), 200)
    try:
        with redis.Redis(port=port, retry=retry, retry_on_error=[redis.ConnectionError]) as client:
            client.ping()
            yield client
    finally:
        process.terminate()
        assert process.wait(20) == 0


def test_three_workers_serve_and_have_a_minute_to_stop():
    croupier = SERVICES["croupier"]
    assert " ".join(croupier["command"]) == ("serve --bind 0.0.0.0 --workers 3 --redis redis://store:6379")
    assert croupier["stop_grace_period"] == "60s"


def test_visitors_reach_the_proxy_alone():
    published = {name: one["ports"] for name, one in SERVICES.items() if "ports" in one}
    assert published == {"proxy": ["80:80", "443:443"], "grafana": ["127.0.0.1:3000:3000"]}
    outside = {name for name, one in SERVICES.items() if "outside" in one["networks"]}
    assert outside == {"proxy", "grafana"}
    assert [name for name, one in NETWORKS.items() if not one.get("internal")] == ["outside"]


def test_the_store_talks_to_croupier_and_the_archive_alone():
    talking = {name for name, one in SERVICES.items() if "store" in one["networks"]}
    assert talking == {"store", "croupier", "archive"}


def test_the_archive_takes_what_the_server_keeps_for_it_and_keeps_it_in_a_volume():
    archive = SERVICES["archive"]
    assert SERVICES["croupier"]["environment"]["CROUPIER_ARCHIVE_ENABLED"] == "true"
    assert archive["command"] == ["archive", "--redis", "redis://store:6379"]
    assert archive["image"] == SERVICES["croupier"]["image"]
    assert archive["volumes"] == ["archive:/var/lib/croupier"]
    usual = archive["environment"]["CROUPIER_ARCHIVE_TO"]
    assert usual == "${CROUPIER_ARCHIVE_TO:-sqlite:/var/lib/croupier/archive.db}"


def test_the_network_that_is_trusted_about_addresses_holds_the_proxy_alone():
    trusted = SERVICES["croupier"]["environment"]["CROUPIER_GATEWAY_TRUSTED_PROXIES"]
    assert NETWORKS["front"]["ipam"]["config"] == [{"subnet": trusted}]
    assert {name for name, one in SERVICES.items() if "front" in one["networks"]} == {"croupier", "proxy"}


def test_no_secret_is_in_the_file():
    croupier, grafana = SERVICES["croupier"]["environment"], SERVICES["grafana"]["environment"]
    assert croupier["CROUPIER_SHOE_KEY"].startswith("${CROUPIER_SHOE_KEY:?")
    assert grafana["GF_SECURITY_ADMIN_PASSWORD"].startswith("${GRAFANA_PASSWORD:?")


def test_every_file_that_is_mounted_is_there():
    mounted = [
        volume.partition(":")[0]
        for one in SERVICES.values()
        for volume in one.get("volumes", [])
        if volume.startswith("./")
    ]
    assert len(mounted) == 5
    assert all((DEPLOY / path).exists() for path in mounted)


def test_nothing_runs_with_more_rights_than_it_needs():
    for name in ("croupier", "archive", "proxy", "prometheus", "grafana"):
        assert SERVICES[name]["cap_drop"] == ["ALL"]
        assert SERVICES[name]["security_opt"] == ["no-new-privileges:true"]


@pytest.mark.long
def test_the_file_is_what_the_specification_of_compose_allows():
    run(audit_tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml")
