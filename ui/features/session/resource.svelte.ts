// Something that is loaded: its value, its error, whether it is on its way. A slow old answer never replaces a newer one,
// and the old value stays on screen while the new one comes.
import { asBackendError, type BackendError } from "$ui/backend";

export interface Resource<V> {
  readonly value: V | undefined;
  readonly error: BackendError | undefined;
  readonly loading: boolean;
  reload: () => void;
}

/** `load` runs now, and again whenever state that it reads before its first await changes. */
export function resource<V>(load: () => Promise<V>): Resource<V> {
  let value = $state.raw<V | undefined>(undefined);
  let error = $state.raw<BackendError | undefined>(undefined);
  let loading = $state(true);
  let again = $state(0);
  let turn = 0;
  $effect(() => {
    void again;
    const mine = ++turn;
    loading = true;
    load().then(
      (loaded) => {
        if (mine !== turn) return;
        value = loaded;
        error = undefined;
        loading = false;
      },
      (thrown: unknown) => {
        if (mine !== turn) return;
        error = asBackendError(thrown);
        loading = false;
      },
    );
    return () => {
      if (mine === turn) turn += 1;
    };
  });
  return {
    get value() {
      return value;
    },
    get error() {
      return error;
    },
    get loading() {
      return loading;
    },
    reload: () => (again += 1),
  };
}
