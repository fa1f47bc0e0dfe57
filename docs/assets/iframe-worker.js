// Search runs in a worker, which browsers do not start from a file: address. There, a hidden frame runs the same
// script instead, so that search works in a copy of the site on disk.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      const load = (address) =>
        new Promise((done, failed) => {
          const script = frame.contentDocument.createElement("script");
          script.onload = done;
          script.onerror = failed;
          script.src = new URL(address, location.href);
          frame.contentDocument.body.append(script);
        });
      this.inside.importScripts = (...addresses) =>
        addresses.reduce((before, address) => before.then(() => load(address)), Promise.resolve());
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.ready = load(url);
    }

    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
