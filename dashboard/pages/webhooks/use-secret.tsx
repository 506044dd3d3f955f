import { createContext, useContext } from "react";

/** A secret that was made now, to be shown once. */
export interface MadeSecret {
  readonly secret: string;
  /** Beside an old one that signs on. */
  readonly isRotated: boolean;
}

/** Shows a secret over the page, also when the part that made it is gone. */
export const SecretContext = createContext<(made: MadeSecret) => void>(() => {});

export function useShowSecret(): (made: MadeSecret) => void {
  return useContext(SecretContext);
}
