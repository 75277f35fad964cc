/** What stands around a port: the port as whoever is outside meets it. */
export type Around<Port> = (port: Port) => Port;

/** The port with all these around it: the first is the outermost. */
export const within = <Port>(port: Port, around: readonly Around<Port>[]): Port =>
  around.reduceRight((inner, one) => one(inner), port);
