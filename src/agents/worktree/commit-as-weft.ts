// Arguments of commits that nobody but Weft makes: the message comes by standard input, no hook and no key of the user's is used.

const AUTHOR = ['-c', 'user.name=Weft', '-c', 'user.email=weft@localhost', '-c', 'commit.gpgSign=false']

export const COMMIT = [...AUTHOR, 'commit', '--quiet', '--no-verify', '--file=-']
