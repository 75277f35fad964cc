import { isJsonObject } from '../../../machinery/json/json.ts';
import { readYaml } from '../../../machinery/yaml/read-yaml.ts';
import type { NodeSelectors } from '../plugins/pod-node-selector.ts';
import { read, unreadable } from './configuration-document.ts';
import type { Reading } from './configuration-document.ts';

/** The configuration of PodNodeSelector, which has no version. Follows kubernetes plugin/pkg/admission/podnodeselector/admission.go. */
export function readNodeSelectors(text: string): Reading<NodeSelectors> {
  const yaml = readYaml(text);
  if (yaml.outcome === 'unreadable') return unreadable(yaml.error);
  const listed = isJsonObject(yaml.value) ? yaml.value['podNodeSelectorPluginConfig'] : undefined;
  const entries = isJsonObject(listed) ? Object.entries(listed) : [];
  return read(new Map(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))));
}
