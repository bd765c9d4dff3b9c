# SPDX-License-Identifier: Apache-2.0
"""The software bill of materials of a release, as SPDX 2.3 in JSON: ebb with its version and licence, the Debian source
packages that the packages were built with, and the npm packages that are in the page of `ebb report`. tools/release
writes it; the same build gives the same bytes."""
import datetime
import email.parser
import email.utils
import hashlib
import json
import re
import subprocess
import urllib.parse

NOWHERE = "https://ebb.invalid/spdx"  # a name, not a place: the top domain belongs to nobody (RFC 2606)
REQUIRED = {
    "document": ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo", "packages", "relationships"),
    "creationInfo": ("created", "creators"),
    "package": ("SPDXID", "name", "downloadLocation"),
    "relationship": ("spdxElementId", "relationshipType", "relatedSpdxElement"),
}


def identifier(kind, name, version):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", f"{name}-{version}")


def package(kind, name, version, licence, purl):
    return {"SPDXID": identifier(kind, name, version), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": licence, "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]}


def source_packages(buildinfo):
    """Name and version of the source of every Debian package that was installed for the build, by .buildinfo."""
    fields = email.parser.HeaderParser().parsestr(buildinfo)
    wanted = dict(re.findall(r"(\S+) \(= ([^)]+)\)", fields["Installed-Build-Depends"] or ""))
    if not wanted:
        raise SystemExit("the .buildinfo file has no Installed-Build-Depends")
    shown = subprocess.run(["dpkg-query", "-W", "-f", "${Package}\t${Version}\t${source:Package}\t${source:Version}\n", *wanted],
                           capture_output=True, text=True)
    sources = {}
    for line in shown.stdout.splitlines():
        name, version, source, source_version = line.split("\t")
        sources[name, version] = (source, source_version)
    missing = [f"{name} {version}" for name, version in wanted.items() if (name, version) not in sources]
    if missing:
        raise SystemExit(f"not installed in the version of the build, so their sources are not known: {', '.join(missing)}")
    return sorted({sources[entry] for entry in wanted.items()})


def npm_packages(lock):
    """Name, version, licence, and whether it only helps to build, of every package of a package-lock.json."""
    entries = [(path.split("node_modules/")[-1], entry) for path, entry in json.loads(lock)["packages"].items() if path]
    return sorted({(name, entry["version"], entry.get("license", "NOASSERTION"), entry.get("dev", False)) for name, entry in entries})


def bill(version, released, buildinfo, lock):
    """`released` is a time as debian/changelog has it."""
    ours = package("Package", "ebb", version, "Apache-2.0", f"pkg:generic/ebb@{version}")
    packages, relations = [ours], [("SPDXRef-DOCUMENT", "DESCRIBES", ours["SPDXID"])]
    for name, source_version in source_packages(buildinfo):
        purl = f"pkg:deb/debian/{name}@{urllib.parse.quote(source_version)}?arch=source"
        packages.append(package("Debian", name, source_version, "NOASSERTION", purl))
        relations.append((packages[-1]["SPDXID"], "BUILD_DEPENDENCY_OF", ours["SPDXID"]))
    for name, npm_version, licence, development in npm_packages(lock):
        purl = f"pkg:npm/{urllib.parse.quote(name, safe='/')}@{npm_version}"
        packages.append(package("npm", name, npm_version, licence, purl))
        relations.append((packages[-1]["SPDXID"], "DEV_DEPENDENCY_OF", ours["SPDXID"]) if development else
                         (ours["SPDXID"], "CONTAINS", packages[-1]["SPDXID"]))
    keys = REQUIRED["relationship"]
    created = email.utils.parsedate_to_datetime(released).astimezone(datetime.timezone.utc)
    digest = hashlib.sha256(json.dumps([packages, relations]).encode()).hexdigest()
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"ebb-{version}",
            "documentNamespace": f"{NOWHERE}/ebb-{version}-{digest}",
            "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
                             "creators": ["Organization: The ebb developers", f"Tool: ebb-sbom-{version}"]},
            "packages": packages, "relationships": [dict(zip(keys, relation)) for relation in relations]}


def problems(document):
    """Required fields that are missing or wrong, duplicated identifiers, relations that lead nowhere."""
    checked = [("document", document), ("creationInfo", document.get("creationInfo", {})),
               *(("package", one) for one in document.get("packages", [])),
               *(("relationship", one) for one in document.get("relationships", []))]
    for kind, one in checked:
        for field in REQUIRED[kind]:
            if not one.get(field):
                yield f"{kind} {one.get('SPDXID', '')}: no {field}"
    identifiers = [document.get("SPDXID"), *(one.get("SPDXID") for one in document.get("packages", []))]
    for one in identifiers:
        if not re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", one or ""):
            yield f"'{one}' is not an identifier of SPDX"
        if identifiers.count(one) > 1:
            yield f"{one} is there {identifiers.count(one)} times"
    for relation in document.get("relationships", []):
        for end in (relation.get("spdxElementId"), relation.get("relatedSpdxElement")):
            if end not in identifiers:
                yield f"a relationship leads to {end}, which is not there"
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document.get("creationInfo", {}).get("created", "")):
        yield "creationInfo.created is not a time in UTC"
