"""What functions of libraries, compilers and the kernel do, where the program does not define them."""
