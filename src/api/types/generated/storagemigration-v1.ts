// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as metaV1 from './meta-v1.ts';

export type StorageVersionMigration = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: StorageVersionMigrationSpec;
  readonly status?: StorageVersionMigrationStatus;
};

export type StorageVersionMigrationList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<StorageVersionMigration>[] | null;
};

export type StorageVersionMigrationSpec = {
  readonly resource?: metaV1.GroupResource;
};

export type StorageVersionMigrationStatus = {
  readonly conditions?: readonly metaV1.Condition[];
  readonly resourceVersion?: string;
};
