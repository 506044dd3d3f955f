import type { Config } from "../config.ts";
import type { Log } from "../deps.ts";
import { type OpenDatabase, type Opener, openDatabase } from "../start/open-database.ts";

/** A command was interrupted before its work was done. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
  readonly exitCode: number;

  constructor(reason: string, exitCode: number) {
    super(reason);
    this.exitCode = exitCode;
  }
}

/** The exit codes that a shell reports for a program ended by a signal: 128 plus its number. 13 is SIGPIPE: the output has no reader any more. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const OUTPUT_CLOSED = 141;

/**
 * Runs a command's work on the configured database and closes the database in any case: at the end of the work, at a signal, or when the reader of
 * the output ends (`verify | head`). Interrupted work is abandoned, as by a kill, and its connections are cut.
 * @throws InterruptedError, and the errors of `openDatabase`
 */
export async function untilInterrupted<T>(
  from: { readonly config: Config; readonly log: Log; readonly as: Opener },
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  return raceInterrupts(async (interrupted) => {
    const database = await openDatabase(from.config, from.log, from.as);
    try {
      return await Promise.race([interrupted, work(database)]);
    } finally {
      await database.close();
    }
  });
}

/** Runs work with a promise that rejects when the command is interrupted. */
export async function raceInterrupts<T>(work: (interrupted: Promise<never>) => Promise<T>): Promise<T> {
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  interrupted.catch(() => {}); // it may reject before anything waits for it
  const handlers = Object.entries(SIGNALS).map(([signal, exitCode]) => {
    const onSignal = () => reject(new InterruptedError(`ended by ${signal}`, exitCode));
    process.on(signal, onSignal);
    return () => process.off(signal, onSignal);
  });
  const onOutputError = (error: Error) => {
    if (Reflect.get(error, "code") === "EPIPE") reject(new InterruptedError("the output has no reader", OUTPUT_CLOSED));
  };
  process.stdout.on("error", onOutputError);
  try {
    return await work(interrupted);
  } finally {
    process.stdout.off("error", onOutputError);
    for (const remove of handlers) remove();
  }
}
