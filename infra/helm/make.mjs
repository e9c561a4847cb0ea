// `node infra/helm/make.mjs`: the chart's templates, of what kustomize renders of overlays/production, and rendered.yaml,
// which is the chart with its default values. Needs helm, and no cluster. After infra/k8s/render.mjs.
// `node infra/helm/make.mjs sources`: the SHA-256 of what rendered.yaml is made of.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { isMap, isSeq, parseAllDocuments, visit } from 'yaml';
import { substitutions, wrappers, FILES } from './substitutions.mjs';

const folder = import.meta.dirname;
const chart = join(folder, 'svc');
const manifests = join(folder, '../k8s/rendered/production.yaml');
/** That of infra/k8s/schemas. */
const KUBERNETES = '1.34.0';
const OWN = ['make.mjs', 'substitutions.mjs', 'svc/Chart.yaml', 'svc/values.yaml', 'svc/values.schema.json'];

function sourceSha256() {
  const hash = createHash('sha256');
  // The templates too: nobody changes them by hand.
  const templates = readdirSync(join(chart, 'templates')).map((file) => join('svc/templates', file));
  for (const file of [...OWN, ...templates.sort()]) hash.update(readFileSync(join(folder, file)));
  return hash.update(readFileSync(manifests)).digest('hex');
}

/** The name without the hash that a ConfigMap of files has. */
const plainName = (name) => name.replace(/^(catalog|proxy)-\w{10}$/, '$1');

/** Places of expressions in YAML: no scalar begins with @ but a quoted one. */
const expressions = [];
const placeOf = (expression) => `@@${String(expressions.push(expression) - 1)}@@`;

function templateOf(document) {
  const { kind, metadata } = document.toJS();
  document.deleteIn(['metadata', 'namespace']);
  document.setIn(['metadata', 'namespace'], placeOf('{{ .Release.Namespace }}'));
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value !== 'string') return;
      const [, file] = /^(catalog|proxy)-\w{10}$/.exec(node.value) ?? [];
      const [, image] = /^registry\.example\.com\/(svc-[\w-]+):/.exec(node.value) ?? [];
      if (file) node.value = placeOf(`{{ include "svc.${file}Name" . }}`);
      if (image) node.value = placeOf(`{{ include "svc.image" (list . "${image}") }}`);
    },
  });
  for (const { of, path, to } of substitutions)
    if (of.test(`${kind}/${metadata.name}`)) document.setIn(path, placeOf(to));
  fence(document);
  document.directives.docStart = null;
  const text = String(document)
    // Placeholders of Prometheus, not of Helm.
    .replaceAll('{{', '{{ "{{" }}')
    // An item of a list that is a fence.
    .replace(/^ *- ["']@@(\d+)@@["']$/gm, (_, at) => expressions[at])
    // An optional field: the fence takes the place of its line.
    .replace(/^( *)(.*?)["']@@(\d+)@@["']$/gm, (line, indent, key, at) => {
      const { when, value } = expressions[at];
      if (when === undefined) return line;
      const indented = value.replace('INDENT', String(indent.length + 2));
      return `{{- if ${when} }}\n${indent}${key}${indented}\n{{- end }}`;
    })
    .replace(
      /^( *)(.*?)["']@@(\d+)@@["']$/gm,
      (_, indent, before, at) =>
        // A block begins on a line of its own, deeper than its key.
        `${indent}${before}${expressions[at].replace('INDENT', String(indent.length + (/^- /.test(before) ? 4 : 2)))}`,
    );
  const { open = '', close = '' } = wrappers.find(({ of }) => of.test(`${kind}/${metadata.name}`)) ?? {};
  return [open, text.trimEnd(), close].filter(Boolean).join('\n');
}

/** Volumes and variables of Strimzi's login are in a pod only with Strimzi. */
function fence(document) {
  visit(document, {
    Seq: (_, node) => {
      const isOfStrimzi = (item) =>
        isMap(item) && /^(kafka-ca|kafka-login|SVC_KAFKA_SASL_PASSWORD_FILE)$/.test(String(item.get('name')));
      if (!isSeq(node) || !node.items.some(isOfStrimzi)) return;
      const [theirs, ours] = [
        node.items.filter(isOfStrimzi),
        node.items.filter((item) => !isOfStrimzi(item)),
      ];
      const fences = [placeOf('{{- if .Values.kafka.strimzi }}'), placeOf('{{- end }}')];
      const [open, close] = fences.map((place) => document.createNode(place));
      node.items = [open, ...theirs, close, ...ours];
    },
  });
}

function make() {
  const templates = join(chart, 'templates');
  for (const name of readdirSync(templates)) if (name.endsWith('.yaml')) rmSync(join(templates, name));
  const files = new Map();
  for (const document of parseAllDocuments(readFileSync(manifests, 'utf8'))) {
    const { kind, metadata } = document.toJS();
    // Who installs a chart makes its namespace before.
    if (kind === 'Namespace') continue;
    document.commentBefore = null;
    const name = plainName(metadata.name);
    files.set(name, [...(files.get(name) ?? []), templateOf(document)]);
  }
  for (const [name, texts] of files)
    writeFileSync(join(templates, `${name.toLowerCase()}.yaml`), `${texts.join('\n---\n')}\n`);
  mkdirSync(join(chart, 'files'), { recursive: true });
  for (const [name, source] of Object.entries(FILES))
    copyFileSync(join(folder, source), join(chart, 'files', name));
}

async function render() {
  const file = join(folder, 'rendered.yaml');
  // A helm that was built as a Go module knows no version of Kubernetes.
  const args = ['template', 'svc', chart, '--namespace', 'svc', '--kube-version', KUBERNETES];
  const rendered = execFileSync('helm', args, { encoding: 'utf8', maxBuffer: 1 << 24 });
  const text = `# Made by make.mjs of the sources with SHA-256 ${sourceSha256()}.\n${rendered}`;
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}

if (process.argv[2] === 'sources') process.stdout.write(sourceSha256());
else {
  make();
  await render();
}
