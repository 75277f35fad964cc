import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { asObject, valueAt } from '../../src/machinery/json/json.ts';
import { createAggregatedDiscovery } from '../../src/api/types/catalogue/discovery.ts';
import { createOpenapiDocument, createOpenapiIndex } from '../../src/api/types/openapi/openapi.ts';
import { parseDocument } from '../harness/parse-document.ts';
import { newestMinor } from '../../src/machinery/meta/release-names.ts';
import { loadRelease } from '../../src/api/release/load-release.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const folder = temporaryFolder();
const newest = await loadRelease(`1.${newestMinor}`);
const catalogue = newest.createCatalogue(() => true);

// What kadmit publishes goes through the generator, as another server's documents would.
beforeAll(() => {
  const paths = Object.keys(asObject(createOpenapiIndex(catalogue)['paths']));
  const documents = paths.map((path) =>
    asObject(valueAt(parseDocument(createOpenapiDocument(catalogue, path)), 'components', 'schemas')),
  );
  const schemas = Object.assign({}, ...documents);
  const files = {
    schemas: { kubernetesVersion: newest.types.version, schemas },
    discovery: {
      api: createAggregatedDiscovery(catalogue, 'api'),
      apis: createAggregatedDiscovery(catalogue, 'apis'),
    },
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
  const inputs = ['--schemas', join(folder, 'schemas'), '--discovery', join(folder, 'discovery'), '--out', folder];
  execFileSync(process.execPath, ['test/tools/make-builtin.mjs', ...inputs], { stdio: 'ignore' });
});

test.each(['types.json', 'resources.json'])('the generator makes %s again', (file) => {
  expect(readFileSync(join(folder, file), 'utf8')).toBe(readFileSync(`src/api/release/newest/${file}`, 'utf8'));
});
