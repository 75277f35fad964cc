import { basename, relative } from 'node:path';
import { append } from '../../apimachinery/append.ts';
import { isJsonObject } from '../../apimachinery/json.ts';
import { apiVersionOf } from '../../apimachinery/gvk.ts';
import { plainValue } from '../../apimachinery/json-reader.ts';
import type { CompileCel } from '../../stages/expression.ts';
import { readStage } from '../../stages/read-stage.ts';
import type { Stage } from '../../stages/stage.ts';
import { readManifestFiles } from '../manifest-files.ts';
import { readManifests } from '../manifest.ts';
import type { Manifest, ParseDocument } from '../manifest.ts';

export type StagesReading =
  | { readonly outcome: 'read'; readonly stages: readonly Stage[] }
  /** Which file and document, and why. */
  | { readonly outcome: 'unreadable'; readonly error: string };

/** The Stages in these files, and in the files that lie in these folders. What kustomize reads there is passed over. */
export async function loadStages(
  paths: readonly string[],
  ports: { readonly parse: ParseDocument; readonly compileCel: CompileCel },
): Promise<StagesReading> {
  const stages: Stage[] = [];
  for (const path of paths) {
    const reading = readManifestFiles(path);
    if (reading.outcome === 'unreadable') return { outcome: 'unreadable', error: `${path}: ${reading.error}` };
    for (const file of reading.files.filter(
      (one) => one.path === path || relative(path, one.path) === basename(one.path),
    )) {
      const found = await readManifests(file, ports.parse);
      const read = found.outcome === 'read' ? stagesIn(found.manifests, ports.compileCel) : found.error;
      if (typeof read === 'string') return { outcome: 'unreadable', error: read };
      append(stages, read);
    }
  }
  if (stages.length === 0) return { outcome: 'unreadable', error: `${paths.join(', ')}: there is no Stage in it` };
  return { outcome: 'read', stages };
}

/** The Stages of a file, or what is wrong with one. */
function stagesIn(manifests: readonly Manifest[], compileCel: CompileCel): readonly Stage[] | string {
  const stages: Stage[] = [];
  for (const manifest of manifests) {
    if (manifest.kind.group === 'kustomize.config.k8s.io') continue;
    const read = stageOf(manifest, compileCel);
    if (typeof read === 'string') return `${manifest.place}: ${read}`;
    stages.push(read);
  }
  return stages;
}

/** The Stage, or what is wrong with it. */
function stageOf({ kind, name, document }: Manifest, compileCel: CompileCel): Stage | string {
  if (kind.group !== 'kwok.x-k8s.io' || kind.kind !== 'Stage') {
    return `${kind.kind} ${name} is no Stage: give it to --load`;
  }
  if (kind.version !== 'v1alpha1') return `${apiVersionOf(kind)} is not known: write kwok.x-k8s.io/v1alpha1`;
  const value = plainValue(document);
  const reading = readStage(isJsonObject(value) ? value : {}, compileCel);
  return reading.outcome === 'read' ? reading.stage : `Stage ${name}: ${reading.error}`;
}
