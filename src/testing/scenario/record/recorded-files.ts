import type { JsonObject } from '../../../machinery/json/json.ts';
import { answersScript } from './answers-script.ts';
import { manifestYaml } from './scenario-yaml.ts';

/** The files of a scenario besides scenario.yaml, as they come together. */
export interface ScenarioFiles {
  /** Writes objects into a file of this name, without its end; one that has the same text already serves again. The path. */
  readonly add: (name: string, objects: readonly JsonObject[]) => string;
  /** The script that gives a webhook's answers. The path. */
  readonly addScript: (
    webhook: string,
    configuration: string | undefined,
    answers: ReadonlyMap<string, readonly JsonObject[]>,
  ) => string;
  readonly all: () => readonly (readonly [path: string, text: string])[];
}

export function createFiles(): ScenarioFiles {
  const files = new Map<string, string>();
  const put = (stem: string, extension: string, text: string): string => {
    for (let number = 1; ; number += 1) {
      const path = `${stem}${number === 1 ? '' : `-${number}`}${extension}`;
      if (path !== 'scenario.yaml' && (files.get(path) ?? text) === text) {
        files.set(path, text);
        return path;
      }
    }
  };
  return {
    add: (name, objects) => put(name, '.yaml', objects.map(manifestYaml).join('---\n')),
    addScript: (webhook, configuration, answers) =>
      put(
        [configuration ?? [], webhook]
          .flat()
          .join('.')
          .replaceAll(/[^\w.-]/g, '-'),
        '.js',
        answersScript(webhook, answers),
      ),
    all: () => [...files],
  };
}
