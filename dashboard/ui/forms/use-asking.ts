import { type BlockerFn, type RouterHistory, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

type Move = Parameters<BlockerFn>[0];

/** Asks before a move to another page or panel that would lose input. `ask` asks before something else that would. */
export function useAsking(wouldLose: (move: Move) => boolean) {
  const router = useRouter();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  /** Not before the key press that leads here is over: both dialogs listen to it, and one would answer the other. */
  const ask = (next: (() => void) | null) => setTimeout(() => setLeave(() => next));
  const latest = useRef({ wouldLose, ask });
  latest.current = { wouldLose, ask };
  useEffect(() => {
    /** A step back or forward is undone at once, and done again if the input may be discarded: a step that waits would change what later steps mean. */
    const blockerFn: BlockerFn = (move) => {
      if (!latest.current.wouldLose(move)) return false;
      latest.current.ask(() => moveAgain(router.history, move));
      return true;
    };
    return router.history.block({ blockerFn, enableBeforeUnload: false }); // the shell asks
  }, [router]);
  const discard = () => {
    leave?.();
    setLeave(null);
  };
  return { isAsking: leave !== null, ask, discard, keep: () => ask(null) };
}

/** Whether a move is one of the browser's, back or forward. */
export function isStep(move: Move): boolean {
  return move.action !== "PUSH" && move.action !== "REPLACE" && stepsOf(move) !== 0;
}

function stepsOf({ currentLocation, nextLocation }: Move): number {
  return nextLocation.state.__TSR_index - currentLocation.state.__TSR_index;
}

function moveAgain(history: RouterHistory, move: Move): void {
  const { href, state } = move.nextLocation;
  if (move.action === "PUSH") history.push(href, state, { ignoreBlocker: true });
  else if (move.action === "REPLACE") history.replace(href, state, { ignoreBlocker: true });
  else history.go(stepsOf(move), { ignoreBlocker: true });
}
