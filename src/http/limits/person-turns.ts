import { createLimiter } from "./limiter.ts";

/** How many requests of one person are handled at once: as many as a browser sends. Every one may take a connection of the database. */
const RUNNING_MAX = 6;
const WAITING_MAX = 200;

/** Waits until a person's next request may be handled; returns the function that ends its turn. */
export type EnterTurn = (staffUid: string) => Promise<() => void>;

interface Person {
  readonly limit: ReturnType<typeof createLimiter>;
  /** Requests that are handled or wait. */
  open: number;
}

/**
 * Creates the turns of a process. A page never notices them, but somebody who sends slow requests by a script cannot take all connections of the
 * database. A turn ends with the answer, not with the connection: the work of a request goes on after its client has left. Throws `unavailable`
 * (503) if too many requests of the person wait already.
 */
export function createPersonTurns(): EnterTurn {
  const people = new Map<string, Person>();

  function leave(staffUid: string, person: Person): void {
    person.open -= 1;
    if (person.open === 0) people.delete(staffUid);
  }

  return (staffUid) => {
    const limit = () => createLimiter({ running: RUNNING_MAX, waiting: WAITING_MAX });
    const person = people.get(staffUid) ?? { limit: limit(), open: 0 };
    people.set(staffUid, person);
    person.open += 1;
    return new Promise((begin, refuse) => {
      const turn = () => new Promise<void>((end) => begin(end));
      person
        .limit(turn)
        .finally(() => leave(staffUid, person))
        .catch(refuse);
    });
  };
}
