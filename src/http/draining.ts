/** Whether the service is about to stop: it still answers, but `/ready` reports that it is not ready, and connections are closed. */
export interface Draining {
  isOn(): boolean;
  begin(): void;
}

export function createDraining(): Draining {
  let isOn = false;
  return {
    isOn: () => isOn,
    begin() {
      isOn = true;
    },
  };
}
