import { defaultMinor } from '../../machinery/meta/release-names.ts';
import type { PlaygroundTexts } from '../../app/playground/protocol.ts';
import { fromScenario, hasSameContent, type ScenarioParts } from './scenario-file.ts';

export interface Example extends ScenarioParts {
  /** Of its file. */
  readonly name: string;
}

const folder = '../../../docs/playground/examples';

const files: Readonly<Record<string, string>> = import.meta.glob('../../../docs/playground/examples/*', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export interface ExampleTopic {
  readonly topic: string;
  readonly examples: readonly Example[];
}

const index: readonly { readonly topic: string; readonly examples: readonly string[] }[] = JSON.parse(
  files[`${folder}/index.json`] ?? '[]',
);

/** In the order of index.json; others are not shown. */
export const exampleTopics: readonly ExampleTopic[] = index.map(({ topic, examples: names }) => ({
  topic,
  examples: names.map((name) => ({
    name,
    ...fromScenario(files[`${folder}/${name}.yaml`] ?? '', `1.${defaultMinor}`),
  })),
}));

export const examples: readonly Example[] = exampleTopics.flatMap((topic) => topic.examples);

/** The example whose texts are shown as they are. */
export const findExample = (texts: PlaygroundTexts): Example | undefined =>
  examples.find((example) => hasSameContent(example.texts, texts));
