import { isJsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';

/**
 * A snapshot is a text of lines, each a JSON value: this header, then the objects as the server showed them (definitions of
 * kinds and namespaces first, what is asked about other writes last), then `{"objects":N}`, without which it ended early.
 */
export interface SnapshotHeader {
  /** The version of the format. */
  readonly kadmitSnapshot: 1;
  readonly takenAt: string;
  /** The URL of whose objects these are. */
  readonly server: string;
  readonly secrets: boolean;
}

/** The last line. */
export interface SnapshotEnd {
  readonly objects: number;
}

export interface Snapshot {
  readonly header: SnapshotHeader;
  readonly objects: readonly KubernetesObject[];
}

/** Every snapshot begins so, for whoever looks at a file. */
export const firstBytes = '{"kadmitSnapshot":';

export const isEnd = (line: unknown): line is SnapshotEnd =>
  isJsonObject(line) && line['kind'] === undefined && typeof line['objects'] === 'number';
