interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: unknown;
}

export function hostileBodies(limit: number): {
  readonly beforehand: readonly HostileRequest[];
  readonly cases: Readonly<Record<string, () => readonly HostileRequest[]>>;
};
