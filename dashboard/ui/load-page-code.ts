import type { AnyRouter } from "@tanstack/react-router";
import { splitPath } from "./address.ts";

/** Fetches the code of the page that a path of the dashboard leads to. */
export async function loadPageCode(router: AnyRouter, path: string): Promise<void> {
  const route = router.getMatchedRoutes(splitPath(path).to)[0].at(-1);
  if (route !== undefined) await router.loadRouteChunk(route);
}
