/* Shadows the system's <assert.h>, which would redefine the `assert` of program.h. */
