import pg from "pg";
import type { Shards } from "./citus/read-shards.ts";
import { sendTogether } from "./driver.ts";
import type { Param } from "./encode-param.ts";
import type { Queryable, Tx } from "./pool.ts";

/** What a transaction does at its end, and at the end of a savepoint that is undone. */
export interface Ending {
  /** Runs once it has committed. */
  readonly after: (() => void)[];
  /** Statements that COMMIT waits for. */
  readonly sent: Promise<unknown>[];
  /** Runs if a savepoint is undone, newest first. */
  readonly undo: (() => void)[];
}

export const emptyEnding = (): Ending => ({ after: [], sent: [], undo: [] });

export interface OpenTx {
  readonly tx: Tx;
  end(): void;
  /** Returns the original cause of a failure that ended with this error. */
  causeOf(thrown: unknown): unknown;
}

/** The state of a statement after a failed one: the transaction has already failed. */
const ABORTED_STATE = "25P02";
const SAVEPOINT = "savepoint work";
const UNDO = "rollback to savepoint work";
const RELEASE = "release savepoint work";

const isAborted = (error: unknown) => error instanceof pg.DatabaseError && error.code === ABORTED_STATE;

/**
 * Gives access to a transaction's statements until it ends. What its work sent afterwards would run in the transaction of the connection's
 * next user, and what the work of a savepoint sent after its end would not be undone with it.
 */
export function openTx(
  client: pg.PoolClient,
  {
    ending,
    shards,
    statements: { query, execute },
  }: {
    readonly ending: Ending;
    readonly shards: Shards | null;
    readonly statements: Pick<Queryable, "query" | "execute">;
  },
): OpenTx {
  const key = {};
  let failure: unknown;
  let depth = 0; // of savepoints
  // of statements sent together, the one after the failed one may be awaited first: the original failure decides
  const causeOf = (thrown: unknown) => (isAborted(thrown) ? (failure ?? thrown) : thrown);

  function open(isOuterOver: () => boolean): { tx: Tx; end(): void } {
    let isEnded = false;
    const isOver = () => isEnded || isOuterOver();
    const whileOpen = <T>(send: () => Promise<T>) => {
      if (isOver()) return Promise.reject(new Error("the transaction of this statement has ended"));
      sendTogether(client);
      return send().catch((error: unknown) => {
        if (!isAborted(error)) failure = error;
        throw error;
      });
    };
    const own = () => tx as unknown as Tx; // cast: the brand exists in the type only
    const tx = {
      query: <Row extends object>(text: string, params?: readonly Param[]) => whileOpen(() => query<Row>(text, params)),
      execute: (text: string, params?: readonly Param[]) => whileOpen(() => execute(text, params)),
      atCommit(sent: Promise<unknown>) {
        sent.catch(() => {}); // seen at the end, unless the work fails before it
        ending.sent.push(sent);
      },
      isDistributed: async () => shards !== null,
      shards,
      afterCommit: (run: () => void) => void ending.after.push(run),
      whenUndone: (run: () => void) => void (depth > 0 && ending.undo.push(run)),
      savepoint: <T>(work: (inner: Tx) => Promise<T>) => runSavepoint(own(), isOver, work),
      key,
    };
    const end = () => {
      isEnded = true;
    };
    return { tx: own(), end };
  }

  async function runSavepoint<T>(outer: Tx, isOuterOver: () => boolean, work: (inner: Tx) => Promise<T>): Promise<T> {
    const { after, sent, undo } = ending;
    const [afterCount, sentCount, undoCount] = [after.length, sent.length, undo.length];
    await outer.execute(SAVEPOINT);
    const inner = open(isOuterOver);
    depth++;
    try {
      const answer = await work(inner.tx);
      inner.end();
      outer.atCommit(outer.execute(RELEASE));
      return answer;
    } catch (thrown) {
      inner.end();
      const error = causeOf(thrown);
      await outer.execute(UNDO);
      failure = undefined;
      after.length = afterCount;
      sent.length = sentCount;
      outer.atCommit(outer.execute(RELEASE)); // it would be the one to which an enclosing savepoint, of the same name, is rolled back
      for (const run of undo.splice(undoCount).reverse()) run();
      throw error;
    } finally {
      depth--;
    }
  }

  return { ...open(() => false), causeOf };
}
