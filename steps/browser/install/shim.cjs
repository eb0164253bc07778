'use strict';
// Runs the Playwright driver of CHECKROW_DRIVER_DIR. On a Node without a compile cache of its own (before 22.1) it keeps
// V8's compiled code of the two large bundles in CHECKROW_CODE_CACHE, which saves their compilation at every start.
const fs = require('fs');
const path = require('path');
const pkg = path.join(process.env.CHECKROW_DRIVER_DIR, 'package');
const dir = process.env.CHECKROW_CODE_CACHE;
const warming = process.env.CHECKROW_WARM === '1'; // started by the install: what it compiles is only what a start needs
const [major, minor] = process.versions.node.split('.').map(Number);

function useCodeCache() {
  const vm = require('vm');
  const Module = require('module');
  const compile = Module.prototype._compile;
  const fresh = [];
  Module.prototype._compile = function (content, filename) {
    if (!filename.startsWith(pkg) || !filename.endsWith('Bundle.js')) return compile.apply(this, arguments);
    const st = fs.statSync(filename);
    const name = [path.basename(filename), process.version, process.arch, st.size, Math.floor(st.mtimeMs)].join('-') + '.v8';
    const file = path.join(dir, name);
    let cachedData, first = false;
    try { cachedData = fs.readFileSync(file); } catch { /* none yet */ }
    if (!cachedData) {
      try { cachedData = fs.readFileSync(file + '.first'); first = true; } catch { /* not even that */ }
    }
    const script = new vm.Script(Module.wrap(content), {
      filename, cachedData, importModuleDynamically: vm.constants && vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (!cachedData || script.cachedDataRejected || first) fresh.push({ script, file: warming ? file + '.first' : file });
    const run = script.runInThisContext();
    return run.call(this.exports, this.exports, Module.createRequire(filename), this, filename, path.dirname(filename));
  };
  // Saved late, so that it holds what was compiled on first use too. The runner may kill the driver at its end, so the
  // exit event alone would not do; a run that is shorter than the delay and killed leaves the next one without a cache.
  const save = () => {
    for (const { script, file } of fresh) {
      const tmp = file + '.' + process.pid;
      try {
        fs.writeFileSync(tmp, script.createCachedData(), { mode: 0o600 });
        fs.renameSync(tmp, file);
        if (!warming) fs.rmSync(file + '.first', { force: true });
      } catch { /* only a cache */ }
    }
  };
  process.on('exit', save);
  const timer = setTimeout(() => { if (fresh.length) save(); }, 2000);
  timer.unref();
}

if (dir && (major < 22 || (major === 22 && minor < 1))) useCodeCache();
else if (process.env.NODE_COMPILE_CACHE) {
  const { flushCompileCache } = require('module'); // Node 22.10 and newer can write it before the exit
  if (flushCompileCache) setTimeout(flushCompileCache, 2000).unref();
}
require(path.join(pkg, 'cli.js'));
