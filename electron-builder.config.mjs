// What `npm run package` makes of the build: AppImage and deb on Linux, dmg on a Mac, an installer on Windows.

/** Where packages look for newer ones; without it they never look. */
const updateUrl = process.env['WEFT_UPDATE_URL']
/** Debian wants both of every package; whoever publishes names their own. */
const homepage = process.env['WEFT_HOMEPAGE'] ?? 'https://weft.invalid'
const maintainer = process.env['WEFT_MAINTAINER'] ?? 'Weft <packages@weft.invalid>'

/** @type {import('electron-builder').Configuration} */
export default {
  appId: 'dev.weft.app',
  productName: 'Weft',
  copyright: 'The Weft authors, MIT license',
  directories: { output: 'dist', buildResources: 'build' },
  extraMetadata: { homepage, desktopName: 'weft-app.desktop' },
  files: [
    'out/{main,preload,renderer}/**',
    'resources/**',
    'workflows/**',
    'package.json',
    // The addon alone is needed, and of its binaries the one for the package's own platform.
    '!node_modules/better-sqlite3/{deps,src,prebuilds,binding.gyp}{,/**}',
    'node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node',
    // Only headers, to compile the addon with.
    '!node_modules/node-addon-api{,/**}',
  ],
  extraFiles: [{ from: 'build/bin/${os}', to: 'bin' }],
  asar: true,
  asarUnpack: ['**/*.node'],
  // Its binaries speak Node-API: the same ones fit every Electron.
  npmRebuild: false,
  electronFuses: {
    // The command line and the helper that ends agents are run by it.
    runAsNode: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableCookieEncryption: true,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  },
  publish: updateUrl === undefined ? null : { provider: 'generic', url: updateUrl },
  linux: {
    target: ['AppImage', 'deb'],
    executableName: 'weft-app',
    icon: 'build/icons',
    category: 'Development',
    synopsis: 'Write, dry-run, run and watch agent workflows',
    maintainer,
    // So that a desktop knows whose windows they are.
    syncDesktopName: true,
    desktop: { entry: { Keywords: 'workflow;agent;' } },
  },
  mac: {
    target: ['dmg'],
    category: 'public.app-category.developer-tools',
    icon: 'build/icon.icns',
    hardenedRuntime: true,
  },
  win: { target: ['nsis'], icon: 'build/icon.ico' },
  nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
}
