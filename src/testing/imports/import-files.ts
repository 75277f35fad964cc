import { existsSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import type { JsonObject } from '../../machinery/json/json.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { allFilesUnder } from '../scenario/read/files-under.ts';
import { importChainsawTest, isChainsawTest } from './chainsaw-test.ts';
import { importGatorSuite, isGatorSuite } from './gator-suite.ts';
import type { ImportedTest } from './imported-test.ts';
import { importKatFolder, isKatFolder, katFolders } from './kat-folder.ts';
import { importKyvernoTest, isKyvernoTest } from './kyverno-test.ts';
import { importReview, isReview } from './review-file.ts';
import { readDocuments, tryDocuments } from './read-documents.ts';

const formats =
  'it holds no test that is known: kyverno-test.yaml, a Suite of gator, a Test of chainsaw, an AdmissionReview, or a folder of kat';

/**
 * The tests in these files and folders, in the order of their paths; `load` are files that are loaded beside each, such as definitions.
 * Throws ConfigError for what is not there, cannot be read, or holds no test.
 */
export function importFiles(paths: readonly string[], load: readonly string[]): readonly ImportedTest[] {
  const extra = load.flatMap((path) => filesOf(path).flatMap(readDocuments));
  return paths.flatMap((path) => {
    if (!existsSync(path)) throw new ConfigError(`${path}: there is no such file or folder`);
    const found = statSync(path).isDirectory() ? inFolder(path, extra) : inDocuments(path, readDocuments(path), extra);
    if (found.length === 0) throw new ConfigError(`${path}: ${formats}`);
    return found;
  });
}

const isManifest = (file: string): boolean => ['.yaml', '.yml', '.json'].includes(extname(file));

const filesOf = (path: string): readonly string[] => {
  if (!existsSync(path)) throw new ConfigError(`--load ${path}: there is no such file or folder`);
  return statSync(path).isDirectory() ? allFilesUnder(path).filter(isManifest) : [path];
};

/** Whatever in a folder is a test; the rest are the files that those name. */
function inFolder(folder: string, extra: readonly JsonObject[]): readonly ImportedTest[] {
  const kat = (isKatFolder(folder) ? [folder] : katFolders(folder)).map((one) => importKatFolder(one, extra));
  const files = allFilesUnder(folder).filter(isManifest);
  return [...kat, ...files.flatMap((file) => inDocuments(file, tryDocuments(file).documents, extra))];
}

function inDocuments(
  file: string,
  documents: readonly JsonObject[],
  extra: readonly JsonObject[],
): readonly ImportedTest[] {
  return documents.flatMap((one) => {
    if (isKyvernoTest(one)) return [importKyvernoTest(file, one, extra)];
    if (isGatorSuite(one)) return importGatorSuite(file, one, extra);
    if (isChainsawTest(one)) return [importChainsawTest(file, one, extra)];
    return isReview(one) ? [importReview(file, one, extra)] : [];
  });
}
