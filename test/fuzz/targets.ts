import type { Target } from './case.ts';
import { auditLogs } from './targets/audit-logs.ts';
import { bearerTokens } from './targets/bearer-tokens.ts';
import { celExpressions } from './targets/cel.ts';
import { configurationFiles } from './targets/configurations.ts';
import { formatTexts } from './targets/formats.ts';
import { httpOne } from './targets/http1.ts';
import { httpTwo } from './targets/http2.ts';
import { importedTests } from './targets/imports.ts';
import { longAnswers } from './targets/long-responses.ts';
import { longPlaces } from './targets/long-fields.ts';
import { ownApi } from './targets/own-api.ts';
import { patches } from './targets/patches.ts';
import { recordings } from './targets/recordings.ts';
import { scenarioFiles } from './targets/scenario-files.ts';
import { selectors } from './targets/selectors.ts';
import { snapshotFiles } from './targets/snapshots.ts';
import { webhookAnswers } from './targets/webhook-responses.ts';
import { jsonBodies, protobufBodies, yamlBodies } from './targets/writes.ts';

/** All readers of foreign input. */
export const targets: readonly Target[] = [
  jsonBodies,
  yamlBodies,
  protobufBodies,
  longPlaces,
  formatTexts,
  longAnswers,
  patches,
  celExpressions,
  selectors,
  webhookAnswers,
  scenarioFiles,
  httpOne,
  httpTwo,
  ownApi,
  bearerTokens,
  snapshotFiles,
  recordings,
  auditLogs,
  importedTests,
  configurationFiles,
];
