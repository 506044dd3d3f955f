import { Button } from "@mantine/core";
import { createContext, type ReactNode, useContext } from "react";

/** Closes the panel or dialog around a form, after a question if something would be lost. */
export const CloseContext = createContext<() => void>(() => undefined);

/** The button in a form that closes its panel or dialog, and asks as the one in the corner does. */
export function CancelButton({ children }: { children: ReactNode }) {
  return (
    <Button variant="default" onClick={useContext(CloseContext)}>
      {children}
    </Button>
  );
}
