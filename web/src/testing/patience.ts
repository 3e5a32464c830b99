import { configure } from '@testing-library/react'

// What a screen shows after a call may take its time on a busy machine; a test that fails for good still ends.
configure({ asyncUtilTimeout: 10_000 })
