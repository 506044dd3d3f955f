/** Whether the service is about to stop: it still answers, tells who asks that it is not ready, and keeps no connection open. */
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
