"""What the manifests must keep to; no cluster has run them."""

import re
from pathlib import Path

import pytest
import yaml

from croupier_server.configuring.reading import read_config
from support.audit_tools import audit_tool
from support.programs import run

FOLDER = Path(__file__).parents[2] / "deploy" / "kubernetes"
KUSTOMIZATION = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
MANIFESTS = {
    (one["kind"], one["metadata"]["name"]): one
    for name in KUSTOMIZATION["resources"]
    for one in yaml.safe_load_all((FOLDER / name).read_text())
}
POD = MANIFESTS["Deployment", "croupier"]["spec"]["template"]["spec"]
CONTAINER = POD["containers"][0]


def test_every_manifest_is_applied():
    files = {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml"}
    assert set(KUSTOMIZATION["resources"]) == files


def test_the_environment_has_no_names_of_services_in_it():
    """`CROUPIER_…` from a service's name stops the start."""
    assert POD["enableServiceLinks"] is False


def test_a_pod_that_is_to_go_has_a_minute_after_its_prestop():
    waits = int(CONTAINER["lifecycle"]["preStop"]["exec"]["command"][1])
    assert POD["terminationGracePeriodSeconds"] - waits >= 60


def test_a_pod_that_is_not_ready_is_left_to_live():
    assert CONTAINER["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": "admin"}
    assert CONTAINER["livenessProbe"]["httpGet"] == {"path": "/healthz", "port": "admin"}
    assert CONTAINER["startupProbe"]["httpGet"] == {"path": "/healthz", "port": "admin"}


def test_a_pod_has_no_rights_and_no_disk():
    assert POD["securityContext"]["runAsNonRoot"] is True
    assert POD["automountServiceAccountToken"] is False
    assert CONTAINER["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def test_secrets_are_referred_to_and_not_in_the_manifests():
    taken = {one["name"]: one["valueFrom"]["secretKeyRef"]["key"] for one in CONTAINER["env"]}
    assert taken == {
        "CROUPIER_STORE_REDIS": "redis",
        "CROUPIER_SHOE_KEY": "shoe-key",
        "CROUPIER_API_KEY_DIGESTS": "api-key-digest",
    }
    assert not [kind for kind, _ in MANIFESTS if kind == "Secret"]


def test_a_rollout_and_a_drain_of_nodes_take_one_pod_at_a_time():
    rolling = MANIFESTS["Deployment", "croupier"]["spec"]["strategy"]["rollingUpdate"]
    assert rolling == {"maxSurge": 1, "maxUnavailable": 0}
    assert MANIFESTS["PodDisruptionBudget", "croupier"]["spec"]["maxUnavailable"] == 1
    assert MANIFESTS["HorizontalPodAutoscaler", "croupier"]["spec"]["minReplicas"] >= 2
    assert "replicas" not in MANIFESTS["Deployment", "croupier"]["spec"]


def test_labels_find_what_they_are_to_find():
    labels = MANIFESTS["Deployment", "croupier"]["spec"]["template"]["metadata"]["labels"]
    for one in (
        MANIFESTS["Deployment", "croupier"]["spec"]["selector"]["matchLabels"],
        MANIFESTS["Service", "croupier"]["spec"]["selector"],
        MANIFESTS["Service", "croupier-admin"]["spec"]["selector"],
        MANIFESTS["PodDisruptionBudget", "croupier"]["spec"]["selector"]["matchLabels"],
        MANIFESTS["NetworkPolicy", "croupier"]["spec"]["podSelector"]["matchLabels"],
    ):
        assert one.items() <= labels.items()
    monitor = MANIFESTS["ServiceMonitor", "croupier"]["spec"]
    scraped = [
        name
        for (kind, name), one in MANIFESTS.items()
        if kind == "Service"
        and monitor["selector"]["matchLabels"].items() <= one["metadata"]["labels"].items()
    ]
    assert scraped == ["croupier-admin"]
    assert monitor["endpoints"][0]["port"] == "admin"
    job = MANIFESTS["Service", "croupier-admin"]["metadata"]["labels"][monitor["jobLabel"]]
    assert job == "croupier"  # as the alerts want it


def test_players_and_the_operators_port_are_let_in_from_different_places():
    entries = MANIFESTS["NetworkPolicy", "croupier"]["spec"]["ingress"]
    from_where = {
        port["port"]: one["from"][0]["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"]
        for one in entries
        for port in one["ports"]
    }
    assert from_where == {"players": "ingress-nginx", "admin": "monitoring"}
    ingress = MANIFESTS["Ingress", "croupier"]["spec"]["rules"][0]["http"]["paths"][0]["backend"]
    assert ingress == {"service": {"name": "croupier", "port": {"name": "players"}}}


def test_the_archive_is_nobodys_target_has_no_rights_and_runs_when_it_is_asked_to():
    archive = MANIFESTS["Deployment", "croupier-archive"]["spec"]
    labels = archive["template"]["metadata"]["labels"]
    assert archive["replicas"] == 0
    assert archive["selector"]["matchLabels"] == labels == {"app.kubernetes.io/name": "croupier-archive"}
    walls = MANIFESTS["NetworkPolicy", "croupier-archive"]["spec"]
    assert walls["podSelector"]["matchLabels"] == labels
    assert walls["policyTypes"] == ["Ingress", "Egress"]
    assert "ingress" not in walls
    pod = archive["template"]["spec"]
    [container] = pod["containers"]
    assert container["args"] == ["archive"]
    taken = {one["name"]: one["valueFrom"]["secretKeyRef"]["key"] for one in container["env"]}
    assert taken == {"CROUPIER_STORE_REDIS": "redis", "CROUPIER_ARCHIVE_TO": "archive"}
    assert container["securityContext"] == CONTAINER["securityContext"]
    assert pod["securityContext"] == POD["securityContext"]
    assert (pod["enableServiceLinks"], pod["automountServiceAccountToken"]) == (False, False)


def test_pods_are_scaled_by_a_metric_that_there_is():
    metric = MANIFESTS["HorizontalPodAutoscaler", "croupier"]["spec"]["metrics"][0]["pods"]["metric"]["name"]
    manual = (FOLDER.parents[1] / "docs" / "operating.md").read_text()
    assert re.search(rf"(?m)^\| `{metric}` \|", manual)


def test_croupier_takes_the_configuration(tmp_path):
    path = tmp_path / "croupier.toml"
    path.write_text(MANIFESTS["ConfigMap", "croupier"]["data"]["croupier.toml"])
    found = read_config(path)
    assert found.server.workers == 2
    assert CONTAINER["args"] == ["serve", "--config", "/etc/croupier/croupier.toml"]
    ports = {one["name"]: one["containerPort"] for one in CONTAINER["ports"]}
    assert ports == {"players": found.server.port, "admin": found.server.admin_port}


@pytest.mark.long
@pytest.mark.parametrize("version", ["1.30", "1.37"])
def test_the_manifests_are_what_kubernetes_allows(version):
    """All but the ServiceMonitor, whose schema is the Prometheus operator's."""
    files = [FOLDER / name for name in KUSTOMIZATION["resources"] if name != "monitoring.yaml"]
    said = run(audit_tool("kubernetes-validate"), "--strict", "--kubernetes-version", version, *files)
    assert said.count(" passed for resource ") == len(MANIFESTS) - 1
