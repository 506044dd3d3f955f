import { createContext, useContext } from "react";

/** A secret that was just created, to be shown once. */
export interface MadeSecret {
  readonly secret: string;
  /** Whether the old secret still signs. */
  readonly isRotated: boolean;
}

/** Shows a secret over the page, even when the part that created it is gone. */
export const SecretContext = createContext<(made: MadeSecret) => void>(() => {});

export function useShowSecret(): (made: MadeSecret) => void {
  return useContext(SecretContext);
}
