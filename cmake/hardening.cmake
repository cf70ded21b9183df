# Protections against exploits in what is shipped: canaries on the stack, checked library calls, pages probed where the stack
# grows, marked targets of indirect calls, and relocations that are read-only once the program has started. Sanitizers bring
# checks of their own, and WebAssembly is a sandbox with none of these.
if(NOT STOWAGE_HARDENING OR STOWAGE_SANITIZE OR EMSCRIPTEN)
  return()
endif()
include(CheckCXXCompilerFlag)
include(CheckLinkerFlag)

foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard)
  string(MAKE_C_IDENTIFIER "STOWAGE_HAS${flag}" known)
  check_cxx_compiler_flag(${flag} ${known})
  if(${known})
    target_compile_options(stowage_flags INTERFACE ${flag})
  endif()
endforeach()
# The checks of library calls need an optimizing compiler.
target_compile_options(stowage_flags INTERFACE $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE>
                                               $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-D_FORTIFY_SOURCE=2>)

foreach(flag relro now noexecstack)
  check_linker_flag(CXX -Wl,-z,${flag} STOWAGE_HAS_Z_${flag})
  if(STOWAGE_HAS_Z_${flag})
    target_link_options(stowage_flags INTERFACE -Wl,-z,${flag})
  endif()
endforeach()
# A position-independent program is loaded at a random address.
include(CheckPIESupported)
check_pie_supported()
